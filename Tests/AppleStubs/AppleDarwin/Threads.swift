// Names, types and documentation are in Apple's headers. The values are Linux's wherever they reach the
// system.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

import Glibc

public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public typealias sigset_t = UInt32
public typealias sig_t = @convention(c) (Int32) -> Void

public struct _opaque_pthread_t {}
public struct pthread_attr_t {}

public let SIG_BLOCK: Int32 = Glibc.SIG_BLOCK
public let SIG_SETMASK: Int32 = Glibc.SIG_SETMASK
public let SIGKILL = Glibc.SIGKILL
public let SIGPIPE = Glibc.SIGPIPE
public let SIGUSR2 = Glibc.SIGUSR2
public let SIGXFSZ = Glibc.SIGXFSZ
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }

@discardableResult
public func signal(_ number: Int32, _ handler: sig_t!) -> sig_t! { Glibc.signal(number, handler) }

@discardableResult
public func sigemptyset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 {
    set.pointee = 0
    return 0
}

@discardableResult
public func sigaddset(_ set: UnsafeMutablePointer<sigset_t>!, _ number: Int32) -> Int32 {
    set.pointee |= 1 << (number - 1)
    return 0
}

@discardableResult
public func sigismember(_ set: UnsafePointer<sigset_t>!, _ number: Int32) -> Int32 {
    set.pointee & 1 << (number - 1) == 0 ? 0 : 1
}

@discardableResult
public func pthread_sigmask(
    _ how: Int32, _ set: UnsafePointer<sigset_t>!, _ former: UnsafeMutablePointer<sigset_t>!
) -> Int32 {
    var (asked, found) = (Glibc.sigset_t(), Glibc.sigset_t())
    Glibc.sigemptyset(&asked)
    for number in 1...31 as ClosedRange<Int32> where set.map({ sigismember($0, number) == 1 }) ?? false {
        Glibc.sigaddset(&asked, number)
    }
    let result = set == nil ? Glibc.pthread_sigmask(how, nil, &found) : Glibc.pthread_sigmask(how, &asked, &found)
    if former != nil {
        former.pointee = 0
        for number in 1...31 as ClosedRange<Int32> where Glibc.sigismember(&found, number) == 1 {
            sigaddset(former, number)
        }
    }
    return result
}

@discardableResult
public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    var made = Glibc.pthread_t()
    let result = Glibc.pthread_create(&made, nil, unsafeBitCast(body, to: Body.self), argument)
    if result == 0 { thread.pointee = pthread_t(bitPattern: made) }
    return result
}

@discardableResult
public func pthread_detach(_ thread: pthread_t) -> Int32 { Glibc.pthread_detach(UInt(bitPattern: thread)) }

public func pthread_self() -> pthread_t! { pthread_t(bitPattern: Glibc.pthread_self()) }

public func pthread_equal(_ one: pthread_t!, _ other: pthread_t!) -> Int32 { one == other ? 1 : 0 }
