#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// TCP connection to a listener of this process that sends arbitrary bytes, well-formed or not.
///
/// It blocks: fuzzers call it from a thread of their own.
enum PipelineConnection {
    /// Failure to connect, or a connection that was neither answered completely nor closed.
    enum Failure: Error {
        case notConnected
        case silent
    }

    /// Timeout in seconds for a silent server: far above what it needs beside tests that keep all processors busy, and
    /// below its own timeouts for connections.
    private static let patience = 60

    /// Sends the bytes, closes the sending half and reads until the server closes; returns everything that was
    /// received.
    static func exchange(_ octets: [UInt8], port: Int) throws(Failure) -> [UInt8] {
        let descriptor = try connected(to: port)
        defer { close(descriptor) }
        var sent = 0
        while sent < octets.count {
            let count = octets[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
            // The server may close before it has read everything; its response is read nevertheless.
            guard count > 0 else { break }
            sent += count
        }
        shutdown(descriptor, Int32(SHUT_WR))
        return try received(from: descriptor)
    }

    private static func received(from descriptor: Int32) throws(Failure) -> [UInt8] {
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = piece.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 {
                answer += piece.prefix(count)
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                throw .silent
            } else if count == 0 || errno != EINTR {
                return answer
            }
        }
    }

    private static func connected(to port: Int) throws(Failure) -> Int32 {
        guard let port = UInt16(exactly: port) else { throw .notConnected }
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw .notConnected }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw .notConnected
        }
        return descriptor
    }

    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif
    private static let noSignal = Int32(MSG_NOSIGNAL)
}
