#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Separate thread for work that blocks or takes a processor for long, so that it does not hold up the threads that run
/// tasks.
///
/// No caller waits for its end: it ends with its work.
package enum DetachedThread {
    /// Refusal of the system to start a thread, usually because of a limit or because memory is short.
    package struct Failure: Error, Hashable, Sendable {
        /// Error code of the system (pthread_create(3)).
        package let errorNumber: Int32
    }

    private final class Box: Sendable {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Starts a thread that does `work`, and keeps what that holds until it is done.
    ///
    /// Throws ``Failure``; `work` was not called then, and the caller may do it.
    package static func start(_ work: @escaping @Sendable () -> Void) throws(Failure) {
        let box = unsafe Unmanaged.passRetained(Box(work))
        let errorNumber = unsafe create(box.toOpaque())
        guard errorNumber == 0 else {
            unsafe box.release()
            throw Failure(errorNumber: errorNumber)
        }
    }

    /// Starts the thread that takes over the box; returns the error code of the system, 0 for none.
    private static func create(_ box: UnsafeMutableRawPointer) -> Int32 {
        // The types of the thread and of its argument differ between the systems.
        #if canImport(Darwin)
            var thread: pthread_t?
            let result = unsafe pthread_create(&thread, nil, { unsafe DetachedThread.run($0) }, box)
            if result == 0, let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let result = unsafe pthread_create(&thread, nil, { unsafe DetachedThread.run($0) }, box)
            if result == 0 { pthread_detach(thread) }
        #endif
        return result
    }

    private static func run(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let box = unsafe box else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work()
        return nil
    }
}
