// Package bm25 is an in-memory full-text index with code-aware words and the BM25 ranking function.
//
// It is a baseline that a retrieval tool is compared with, so it is deterministic, has no settings but the two
// of the formula, and documents what a word is (Words). It stems nothing and knows no synonyms.
//
// Ranking: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations and
// Trends in Information Retrieval 3(4), 2009, with the inverse document frequency log(1 + (N-n+0.5)/(n+0.5)),
// which is never negative.
package bm25
