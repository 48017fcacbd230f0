// Names, types and documentation are in Apple's headers. The values are Linux's wherever they reach the
// system.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

import Glibc

public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32

public let AF_INET = Glibc.AF_INET
public let AF_INET6 = Glibc.AF_INET6
public let SOCK_STREAM = Int32(Glibc.SOCK_STREAM.rawValue)
public let SOL_SOCKET = Glibc.SOL_SOCKET
public let SO_ACCEPTCONN = Glibc.SO_ACCEPTCONN
public let SO_REUSEADDR = Glibc.SO_REUSEADDR

public struct sockaddr {
    public var sa_len: UInt8 = 0
    public var sa_family: sa_family_t = 0
    public var sa_data = InlineArray<14, CChar>(repeating: 0)
}

public struct in_addr {
    public var s_addr: in_addr_t = 0
}

public struct sockaddr_in {
    public var sin_len: UInt8 = 0
    public var sin_family: sa_family_t = 0
    public var sin_port: in_port_t = 0
    public var sin_addr = in_addr()
    public var sin_zero = InlineArray<8, CChar>(repeating: 0)

    public init() {}
}

public struct in6_addr {
    public var words = InlineArray<4, UInt32>(repeating: 0)
}

public struct sockaddr_in6 {
    public var sin6_len: UInt8 = 0
    public var sin6_family: sa_family_t = 0
    public var sin6_port: in_port_t = 0
    public var sin6_flowinfo: UInt32 = 0
    public var sin6_addr = in6_addr()
    public var sin6_scope_id: UInt32 = 0

    public init() {}
}

public func socket(_ domain: Int32, _ kind: Int32, _ protocol: Int32) -> Int32 {
    Glibc.socket(domain, kind, `protocol`)
}

@discardableResult
public func getsockopt(
    _ fd: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeMutableRawPointer!,
    _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 {
    Glibc.getsockopt(fd, level, name, value, length)
}

@discardableResult
public func setsockopt(
    _ fd: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeRawPointer!, _ length: socklen_t
) -> Int32 {
    Glibc.setsockopt(fd, level, name, value, length)
}

// An address begins with two octets here, length and family, and with the family alone on Linux.

@discardableResult
public func bind(_ fd: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32 {
    var octets = [UInt8](UnsafeRawBufferPointer(start: address, count: Int(length)))
    return octets.withUnsafeMutableBytes { octets in
        octets.storeBytes(of: UInt16(address.pointee.sa_family), as: UInt16.self)
        return Glibc.bind(fd, octets.assumingMemoryBound(to: Glibc.sockaddr.self).baseAddress, length)
    }
}

@discardableResult
public func getsockname(
    _ fd: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 {
    let room = length.pointee
    let result = UnsafeMutableRawPointer(address).withMemoryRebound(to: Glibc.sockaddr.self, capacity: 1) {
        Glibc.getsockname(fd, $0, length)
    }
    guard result == 0 else { return result }
    let family = UnsafeRawPointer(address).load(as: UInt16.self)
    address.pointee.sa_len = UInt8(clamping: min(room, length.pointee))
    address.pointee.sa_family = sa_family_t(family)
    return result
}
