//go:build !unix

package staging

import "os"

// lockFile locks nothing on this system.
func lockFile(*os.File) lockState { return lockNone }
