// Package mcptool calls one tool of one Model Context Protocol server over standard input and output.
//
// The server is an outside program: it may refuse, hang, or die at any call. A call that fails says so
// and costs the caller that call; a server that died or hung is started anew for the next one.
package mcptool
