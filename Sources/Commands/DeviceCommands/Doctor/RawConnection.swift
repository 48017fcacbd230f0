import Foundation

/// Probe of a TCP connection below TLS, for servers with which the handshake has failed.
struct RawConnection {
    enum Answer: Equatable {
        case unknownHost
        /// The connection was refused: nothing listens on the port.
        case refused
        /// No connection was established in time, or there is no route to the host.
        case unreachable
        /// The peer has closed the connection without sending anything.
        case closed
        /// Nothing was received in time.
        case silent
        case bytes([UInt8])
    }

    let host: String
    let port: Int
    /// Timeout of the connection, and again of the response, in milliseconds.
    let patience: Int32

    /// ClientHello of a TLS 1.1 client (RFC 4346 section 7.4.1.2), which offers no newer version.
    static let oldHello: [UInt8] = {
        let suites: [UInt8] = [0xC0, 0x13, 0xC0, 0x14, 0xC0, 0x09, 0xC0, 0x0A, 0x00, 0x2F, 0x00, 0x35, 0x00, 0x0A]
        let extensions: [UInt8] = [
            0x00, 0x0A, 0x00, 0x06, 0x00, 0x04, 0x00, 0x17, 0x00, 0x18, 0x00, 0x0B, 0x00, 0x02, 0x01, 0x00,
        ]
        var body: [UInt8] = [0x03, 0x02] + [UInt8](repeating: 0x53, count: 32) + [0x00]
        body += [0x00, UInt8(suites.count)] + suites + [0x01, 0x00, 0x00, UInt8(extensions.count)] + extensions
        let handshake = [0x01, 0x00, 0x00, UInt8(body.count)] + body
        return [0x16, 0x03, 0x01, 0x00, UInt8(handshake.count)] + handshake
    }()

    /// Sends `bytes` and returns the first reaction; without any bytes it only listens.
    func answer(to bytes: [UInt8]) -> Answer {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else { return .unknownHost }
        defer { freeaddrinfo(first) }
        var answer = Answer.unreachable
        var next: UnsafeMutablePointer<addrinfo>? = first
        while let entry = next {
            answer = self.answer(to: bytes, at: entry.pointee)
            if answer != .refused && answer != .unreachable { return answer }
            next = entry.pointee.ai_next
        }
        return answer
    }

    private func answer(to bytes: [UInt8], at entry: addrinfo) -> Answer {
        let descriptor = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
        guard descriptor >= 0 else { return .unreachable }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        if connect(descriptor, entry.ai_addr, entry.ai_addrlen) != 0 {
            guard errno == EINPROGRESS else { return errno == ECONNREFUSED ? .refused : .unreachable }
            guard wait(descriptor, POLLOUT) else { return .unreachable }
            var failure: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length)
            guard failure == 0 else { return failure == ECONNREFUSED ? .refused : .unreachable }
        }
        guard bytes.isEmpty || send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            return .closed
        }
        guard wait(descriptor, POLLIN) else { return .silent }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? .bytes(Array(buffer.prefix(count))) : .closed
    }

    private func wait(_ descriptor: Int32, _ event: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&watched, 1, patience) > 0
    }
}
