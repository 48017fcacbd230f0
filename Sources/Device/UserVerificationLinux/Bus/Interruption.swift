import CDBus

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Wake-up of a thread that waits for the bus, from any other thread.
final class Interruption: Sendable {
    /// Becomes readable for good once ``raise()`` was called; -1 when the system has no more descriptors.
    let descriptor: Int32

    init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func raise() { _ = eventfd_write(descriptor, 1) }

    var isRaised: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }
}
