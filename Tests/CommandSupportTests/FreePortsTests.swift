import Glibc
import Testing

@testable import CommandSupport

@Suite("Free ports: chosen before a server listens, and taken by no other program in between")
struct FreePortsTests {
    @Test(
        "A held port is not given to a program that wants it alone, and to the server that allows its address to be used again"
    )
    func held() throws {
        let ports = try FreePorts(2)
        #expect(Set(ports.numbers).count == 2)
        for port in ports.numbers {
            #expect(listening(on: port, isReusable: false) == EADDRINUSE)
            #expect(listening(on: port, isReusable: true) == 0)
            #expect(listening(on: port, isReusable: true) == 0, "a second time, as after a restart")
        }
        withExtendedLifetime(ports) {}
    }

    @Test("The ports are free again when they are no longer held")
    func released() throws {
        let numbers = try FreePorts(2).numbers
        // Between the two another program may be given the number.
        #expect(numbers.contains { listening(on: $0, isReusable: false) == 0 })
    }

    @Test("A port is free while it is only held, and not while another process listens")
    func free() throws {
        let ports = try FreePorts(1)
        let port = try #require(ports.numbers.first)
        #expect(FreePorts.isFree(port))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(listen(at: port, descriptor) == 0)
        #expect(!FreePorts.isFree(port))
    }

    /// Error number of an attempt to listen on a port of loopback, which ends at once; 0 when it succeeds.
    private func listening(on port: Int, isReusable: Bool) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return listen(at: port, descriptor, isReusable: isReusable)
    }

    private func listen(at port: Int, _ descriptor: Int32, isReusable: Bool = true) -> Int32 {
        var value: Int32 = isReusable ? 1 : 0
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &value, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 && Glibc.listen(descriptor, 1) == 0 ? 0 : errno
    }
}
