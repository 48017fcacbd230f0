#ifndef SIGNET_ALLOCATION_COUNT_H
#define SIGNET_ALLOCATION_COUNT_H

/// Number of pieces of memory that this thread has asked the C library for since it began; -1 where it is not known.
///
/// A program that links this target has an allocator that counts in front of the one of the C library (glibc). So it is for
/// small programs of their own, never for one that runs tests.
long signet_allocation_count(void);

/// Asks for one piece and gives it back.
void signet_allocate_and_free(void);

#endif
