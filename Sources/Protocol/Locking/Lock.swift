#if canImport(os)
    import os
#else
    import Synchronization
#endif

/// Mutual exclusion around a value, with the platform's unfair lock behind it.
///
/// It stands in for `Mutex` of the standard library, which Apple platforms have from iOS 18 and macOS 15 on, and has its
/// rules: the value is reached inside ``withLock(_:)`` only, nothing that is not `Sendable` gets out of it or in, and a
/// thread that holds the lock must not ask for it again.
package final class Lock<Value>: @unchecked Sendable {
    // Sendable by this rule: the value is touched by withLock only, which holds the lock, and what goes in or out is `sending`.
    // It lies beside the lock: to find out at run time what a Mutex<Value> is took longer than to lock it. For the same reason
    // its exclusivity is not counted in each call; the lock is what keeps it.
    #if canImport(os)
        private let mutex = OSAllocatedUnfairLock()
    #else
        private let mutex = Mutex(())
    #endif
    @exclusivity(unchecked) private var value: Value

    package init(_ initialValue: consuming sending Value) { unsafe value = initialValue }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(os)
            mutex.lock()
            defer { mutex.unlock() }
            return unsafe try body(&value)
        #else
            return try mutex.withLock { _ throws(Failure) in unsafe try body(&value) }
        #endif
    }
}
