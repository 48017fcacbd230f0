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
    // The compiler proves it for Mutex; beside the unfair lock the value is a plain property.
    #if canImport(os)
        private let lock = OSAllocatedUnfairLock()
        private var value: Value

        package init(_ initialValue: consuming sending Value) { value = initialValue }
    #else
        private let mutex: Mutex<Value>

        package init(_ initialValue: consuming sending Value) { mutex = Mutex(initialValue) }
    #endif

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(os)
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        #else
            return try mutex.withLock(body)
        #endif
    }
}
