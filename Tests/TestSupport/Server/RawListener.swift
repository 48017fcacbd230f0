import Foundation
import Glibc

/// A TCP listener on loopback that speaks no TLS.
package final class RawListener: Sendable {
    /// What happens to a connection.
    package enum Behaviour: Sendable, Equatable {
        /// It is taken, and nothing is said.
        case silent
        /// The first is taken in silence, later ones are answered in HTTP.
        case silentFirst
        /// It is closed at the first byte.
        case cutOff
        /// It is answered in HTTP.
        case plainText
        /// It is answered with these octets.
        case says([UInt8])
    }

    /// The system gave no socket.
    struct Unusable: Error {}

    /// Port that the system has chosen.
    package let port: Int
    private let descriptor: Int32

    /// Opens a listener.
    package init(_ behaviour: Behaviour) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(listener, general, length) == 0 && listen(listener, 8) == 0
                    ? getsockname(listener, general, &length) : -1
            }
        }
        guard result == 0 else { throw Unusable() }
        port = Int(UInt16(bigEndian: name.sin_port))
        Thread { Self.serve(listener, behaviour) }.start()
    }

    /// Closes the listener; connections end with it.
    package func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private static func serve(_ listener: Int32, _ behaviour: Behaviour) {
        var kept: [Int32] = []
        defer { for connection in kept { close(connection) } }
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            guard behaviour != .silent, behaviour != .silentFirst || !kept.isEmpty else {
                kept.append(connection)
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            _ = recv(connection, &bytes, bytes.count, 0)
            if behaviour != .cutOff {
                var answer = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)[...]
                if case .says(let octets) = behaviour { answer = octets[...] }
                while !answer.isEmpty {
                    let count = answer.withUnsafeBytes {
                        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { break }
                    answer = answer.dropFirst(count)
                }
            }
            close(connection)
        }
    }
}
