#if canImport(Glibc)
    import ServerCore
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Unix datagram socket, by which one server process sends to the sockets of the others.
///
/// A datagram arrives as a whole, in order, or not at all; the system tells the sender at once which of the three.
final class PeerSocket: Sendable {
    /// Most octets of one datagram.
    static let datagramLimit = 8_192
    /// Time for which a sender waits for room in the queue of a receiver, unless it says otherwise.
    static let patience: Duration = .milliseconds(5)

    /// Result of sending.
    enum Sending {
        /// The datagram is in the queue of the receiver.
        case sent
        /// The queue of the receiver has been full for longer than a sender waits.
        case refused
        /// The process of the receiver has ended.
        case ended
    }

    private let descriptor: Int32

    /// Opens a socket that can only send.
    ///
    /// Throws ``ServerProcessesError/socket(path:errorNumber:)``.
    init() throws(ServerProcessesError) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_DGRAM.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .socket(path: "", errorNumber: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Gives the socket the address at which others reach it.
    ///
    /// Throws ``ServerProcessesError/socket(path:errorNumber:)``.
    func bind(to path: String) throws(ServerProcessesError) {
        let number = Self.withAddress(path) { address, length in
            #if canImport(Glibc)
                Glibc.bind(descriptor, address, length) == 0 ? 0 : errno
            #else
                Musl.bind(descriptor, address, length) == 0 ? 0 : errno
            #endif
        }
        guard number == 0 else { throw .socket(path: path, errorNumber: number ?? ENAMETOOLONG) }
    }

    func send(_ datagram: [UInt8], to path: String, patience: Duration = PeerSocket.patience) -> Sending {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while true {
            let number = Self.withAddress(path) { address, length in
                sendto(descriptor, datagram, datagram.count, Self.sendingFlags, address, length) >= 0 ? 0 : errno
            }
            switch number {
            case 0: return .sent
            case ECONNREFUSED, ENOENT: return .ended
            case EAGAIN, ENOBUFS, EINTR:
                guard clock.now < deadline else { return .refused }
                usleep(200)
            default: return .refused
            }
        }
    }

    /// Result of waiting for a datagram.
    enum Receipt {
        case datagram([UInt8])
        /// None until the time was over.
        case nothing
        /// There never will be one.
        case ended
    }

    /// Waits for the next datagram, until a moment or for ever.
    func receive(until end: ContinuousClock.Instant? = nil) -> Receipt {
        var octets = [UInt8](repeating: 0, count: Self.datagramLimit)
        while true {
            if let end, !isReadable(until: end) { return .nothing }
            let count = recv(descriptor, &octets, octets.count, 0)
            if count >= 0 { return .datagram(Array(octets.prefix(count))) }
            guard errno == EINTR else { return .ended }
        }
    }

    /// Waits until there is something to receive, an error included, and tells whether it came in time.
    private func isReadable(until end: ContinuousClock.Instant) -> Bool {
        var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            // Rounded up, so that the time is over when nothing has come.
            let left = max(.zero, end - ContinuousClock.now)
            let count = poll(&place, 1, Int32(clamping: left.wholeMilliseconds + 1))
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }

    private static var sendingFlags: Int32 {
        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    }

    static func withAddress<Value>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let octets = Array(path.utf8)
        guard octets.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: octets) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
