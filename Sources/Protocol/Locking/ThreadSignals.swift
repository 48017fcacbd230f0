#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Signals that the calling thread blocks (pthread_sigmask(3)).
///
/// A program inherits them from the thread that starts it, and the threads that run tasks block nearly all: SIGTERM would
/// not end a program that was started by a task, nor SIGALRM one that relies on it.
package enum ThreadSignals {
    /// Runs `body` while the thread blocks no signal, and blocks afterwards what it blocked before; returns or throws what
    /// `body` does.
    ///
    /// For the start of a program, and nothing else: a signal that waits for this thread, or for any that does not block it,
    /// can arrive meanwhile.
    package static func unblocked<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var none = sigset_t()
        var former = sigset_t()
        unsafe sigemptyset(&none)
        // Neither call can fail: their one error is an unknown operation.
        unsafe pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        return try body()
    }
}
