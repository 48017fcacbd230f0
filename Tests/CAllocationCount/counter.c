// The functions of the C library that give memory, with a count in front of them.
//
// A definition in the program is found before one of a library, also by the libraries, so the Swift runtime and the crypto
// library are counted, too. glibc gives its own functions a second name, so nothing has to be looked up while it starts.
// Memory that is given back is not counted, and remains with glibc: what is allocated here may be freed there.
#include "CAllocationCount.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

// A sanitizer has an allocator of its own, which has to be the first.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)

extern void *__libc_malloc(size_t byte_count);
extern void *__libc_calloc(size_t count, size_t byte_count);
extern void *__libc_realloc(void *memory, size_t byte_count);
extern void *__libc_memalign(size_t alignment, size_t byte_count);

// Of the thread: another one of the process must not disturb a measurement.
static __thread long count __attribute__((tls_model("initial-exec")));

void *malloc(size_t byte_count) {
    count++;
    return __libc_malloc(byte_count);
}

void *calloc(size_t element_count, size_t byte_count) {
    count++;
    return __libc_calloc(element_count, byte_count);
}

// Growing in place is as dear as a new piece often is, and is counted as one.
void *realloc(void *memory, size_t byte_count) {
    count++;
    return __libc_realloc(memory, byte_count);
}

void *memalign(size_t alignment, size_t byte_count) {
    count++;
    return __libc_memalign(alignment, byte_count);
}

void *aligned_alloc(size_t alignment, size_t byte_count) {
    return memalign(alignment, byte_count);
}

int posix_memalign(void **memory, size_t alignment, size_t byte_count) {
    void *given = memalign(alignment, byte_count);
    if (given == NULL) return ENOMEM;
    *memory = given;
    return 0;
}

long signet_allocation_count(void) { return count; }

#else

long signet_allocation_count(void) { return -1; }

#endif

void signet_allocate_and_free(void) {
    // Volatile: an optimiser leaves out what is not used.
    void *volatile memory = malloc(16);
    free(memory);
}
