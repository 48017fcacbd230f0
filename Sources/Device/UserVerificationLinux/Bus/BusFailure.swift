/// Why a call over the bus has no answer.
enum BusFailure: Error, Hashable, Sendable {
    /// The other side, or the bus in its name, answered with an error of this name.
    case refused(name: String)
    /// The bus cannot be reached or has gone; the number is that of the operating system.
    case unreachable(code: Int32)
    /// No answer came in time.
    case timedOut
    /// The caller no longer wants to wait.
    case interrupted
    /// The service belongs to an account that is not trusted with what it says.
    case untrusted(uid: UInt32)
    /// The answer is none that the interface promises.
    case malformed
}
