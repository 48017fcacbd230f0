import Synchronization

/// The unfair lock of Apple's platforms, on a mutex.
public struct OSAllocatedUnfairLock<State>: Sendable {
    private final class Storage: Sendable {
        let mutex = Mutex(())
    }

    private let storage = Storage()

    /// An open lock that guards nothing but a region of code.
    public init() where State == Void {}

    /// Waits until no thread holds the lock, and takes it.
    public func lock() where State == Void { storage.mutex._unsafeLock() }

    /// Releases the lock, on the thread that has taken it.
    public func unlock() where State == Void { storage.mutex._unsafeUnlock() }
}
