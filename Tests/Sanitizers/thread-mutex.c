// Tells ThreadSanitizer of the way into a Mutex of Swift's Synchronization that is held by another thread.
//
// On Linux the quick way is compiled into the program, where the sanitizer sees it; the slow one waits in the library, which knows
// nothing of the sanitizer. Without this library each mutex that was waited for looks like none.
//
//   clang -shared -fPIC -O1 -o libmutex.so Tests/Sanitizers/thread-mutex.c -ldl
//   LD_PRELOAD=$PWD/libmutex.so ...
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define HANDLE __attribute__((swift_context)) void *handle

// Of the sanitizer; absent in programs without it, which inherit the environment.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, HANDLE) __asm__(LOCK);
SWIFT _Bool try_lock_slow(HANDLE) __asm__(TRY);
SWIFT void unlock_slow(HANDLE) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, HANDLE) {
    static SWIFT void (*original)(uint32_t, HANDLE);
    if (!original) original = dlsym(RTLD_NEXT, LOCK);
    original(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT _Bool try_lock_slow(HANDLE) {
    static SWIFT _Bool (*original)(HANDLE);
    if (!original) original = dlsym(RTLD_NEXT, TRY);
    _Bool is_locked = original(handle);
    if (is_locked && __tsan_acquire) __tsan_acquire(handle);
    return is_locked;
}

SWIFT void unlock_slow(HANDLE) {
    static SWIFT void (*original)(HANDLE);
    if (!original) original = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    original(handle);
}
