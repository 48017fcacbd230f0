// Names, types and documentation are in Apple's headers. The values are Linux's wherever they reach the
// system.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

import Glibc

public var errno: Int32 {
    get { Glibc.errno }
    set { Glibc.errno = newValue }
}

public let EPERM = Glibc.EPERM
public let ENOENT = Glibc.ENOENT
public let EINTR = Glibc.EINTR
public let EIO = Glibc.EIO
public let EBADF = Glibc.EBADF
public let EAGAIN = Glibc.EAGAIN
public let EACCES = Glibc.EACCES
public let EBUSY = Glibc.EBUSY
public let EEXIST = Glibc.EEXIST
public let EISDIR = Glibc.EISDIR
public let EINVAL = Glibc.EINVAL
public let ENOTTY = Glibc.ENOTTY
public let EFBIG = Glibc.EFBIG
public let ENOSPC = Glibc.ENOSPC
public let ENOTSUP = Glibc.ENOTSUP
public let EADDRINUSE = Glibc.EADDRINUSE
public let ELOOP = Glibc.ELOOP
public let EREMOTE = Glibc.EREMOTE
