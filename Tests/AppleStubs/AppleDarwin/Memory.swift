// Names, types and documentation are in Apple's headers. The values are Linux's wherever they reach the
// system.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

import Glibc

public typealias rsize_t = Int
public typealias errno_t = Int32

public let PROT_READ = Glibc.PROT_READ
public let PROT_WRITE = Glibc.PROT_WRITE
public let MAP_PRIVATE = Glibc.MAP_PRIVATE
public let MAP_ANON = Glibc.MAP_ANON
public var MAP_FAILED: UnsafeMutableRawPointer! { UnsafeMutableRawPointer(bitPattern: -1) }
public let _SC_PAGESIZE = Int32(Glibc._SC_PAGESIZE)

public func sysconf(_ name: Int32) -> Int { Glibc.sysconf(name) }

public func mmap(
    _ address: UnsafeMutableRawPointer!, _ size: Int, _ protection: Int32, _ flags: Int32, _ fd: Int32, _ offset: off_t
) -> UnsafeMutableRawPointer! {
    Glibc.mmap(address, size, protection, flags, fd, Glibc.off_t(offset))
}

@discardableResult
public func munmap(_ address: UnsafeMutableRawPointer!, _ size: Int) -> Int32 { Glibc.munmap(address, size) }

@discardableResult
public func mlock(_ address: UnsafeRawPointer!, _ size: Int) -> Int32 { Glibc.mlock(address, size) }

@discardableResult
public func munlock(_ address: UnsafeRawPointer!, _ size: Int) -> Int32 { Glibc.munlock(address, size) }

public func free(_ address: UnsafeMutableRawPointer!) { Glibc.free(address) }

public func strlen(_ text: UnsafePointer<CChar>!) -> Int { Int(Glibc.strlen(text)) }

@discardableResult
public func memcmp(_ one: UnsafeRawPointer!, _ other: UnsafeRawPointer!, _ count: Int) -> Int32 {
    Glibc.memcmp(one, other, count)
}

@discardableResult
public func memset_s(
    _ memory: UnsafeMutableRawPointer!, _ size: rsize_t, _ value: Int32, _ count: rsize_t
) -> errno_t {
    guard value == 0, count <= size else { return EINVAL }
    explicit_bzero(memory, count)
    return 0
}
