import Glibc

/// Client of a Unix domain socket for a few bytes.
enum UnixSocket {
    /// Connects, sends, and waits until the peer has closed; false when nothing listens.
    static func send(_ text: String, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected, Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return false
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var rest: UInt8 = 0
        while recv(descriptor, &rest, 1, 0) > 0 {}
        return true
    }
}
