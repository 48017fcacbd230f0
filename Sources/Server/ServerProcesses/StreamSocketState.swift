#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// State of the Unix stream socket at a path, as another process finds it.
package enum StreamSocketState: Sendable, Hashable {
    /// A process listens. This may be another account's, or have its queue full: then it is in use as well.
    case inUse
    /// The process that listened has ended, and has left its file.
    case abandoned
    case absent

    /// Asks by a connection that is closed at once; a full queue is not waited for.
    package init(at path: String) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else {
            self = .inUse
            return
        }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        switch PeerSocket.withAddress(path, { connect(descriptor, $0, $1) == 0 ? 0 : errno }) {
        case ECONNREFUSED: self = .abandoned
        case ENOENT, nil: self = .absent
        default: self = .inUse
        }
    }
}
