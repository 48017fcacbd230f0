/// Failure to meet the other server processes on a database file.
@nonexhaustive
package enum ServerProcessesError: Error, Hashable, Sendable {
    /// The folder of the sockets cannot be used: the number is the system's error code.
    case folder(path: String, errorNumber: Int32)
    /// The socket of this process cannot be opened: the number is the system's error code.
    case socket(path: String, errorNumber: Int32)
}
