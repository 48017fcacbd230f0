import CDBus

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A connection to a message bus, for one thread only; it blocks.
///
/// The bus tells services when a connection ends, so whatever they hold for it is given back also when this process
/// dies.
final class BusConnection {
    private let bus: OpaquePointer
    private let callLimit: Duration

    init(_ address: BusAddress, callLimit: Duration) throws(BusFailure) {
        var opened: OpaquePointer?
        var result = sd_bus_new(&opened)
        if result >= 0 { result = sd_bus_set_address(opened, address.text) }
        if result >= 0 { result = sd_bus_set_bus_client(opened, 1) }
        if result >= 0 { result = sd_bus_start(opened) }
        guard result >= 0, let opened else {
            sd_bus_unref(opened)
            throw .unreachable(code: -result)
        }
        bus = opened
        self.callLimit = callLimit
    }

    deinit {
        sd_bus_flush_close_unref(bus)
    }

    // MARK: - Calls

    func call(_ call: BusCall) throws(BusFailure) -> BusMessage {
        var request: OpaquePointer?
        guard
            sd_bus_message_new_method_call(
                bus, &request, call.destination, call.path, call.interface, call.member) >= 0, let request
        else { throw .malformed }
        let question = BusMessage(owning: request)
        return try withExtendedLifetime(question) { () throws(BusFailure) in
            for argument in call.arguments {
                guard sd_bus_message_append_basic(request, CChar(SD_BUS_TYPE_STRING), argument) >= 0 else {
                    throw .malformed
                }
            }
            return try answer(to: request)
        }
    }

    private func answer(to request: OpaquePointer) throws(BusFailure) -> BusMessage {
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        let result = sd_bus_call(bus, request, UInt64(callLimit.microseconds), &error, &reply)
        guard result < 0 else {
            guard let reply else { throw .malformed }
            return BusMessage(owning: reply)
        }
        let name = error.name.map { String(cString: $0) } ?? ""
        // So the library names what has not come over the bus.
        let isLocal = name.isEmpty || name.utf8.starts(with: "System.Error.".utf8)
        throw isLocal ? .unreachable(code: -result) : .refused(name: name)
    }

    func subscribe(_ rule: String) throws(BusFailure) { _ = try call(.bus("AddMatch", rule)) }

    // MARK: - Signals

    /// Waits for the next message that is no answer.
    ///
    /// Throws ``BusFailure/interrupted`` when the interruption is raised and ``BusFailure/timedOut`` at the deadline.
    func nextMessage(
        until deadline: ContinuousClock.Instant, unless interruption: Interruption
    ) throws(BusFailure) -> BusMessage {
        while true {
            if interruption.isRaised { throw .interrupted }
            var message: OpaquePointer?
            let result = sd_bus_process(bus, &message)
            guard result >= 0 else { throw .unreachable(code: -result) }
            if let message { return BusMessage(owning: message) }
            if result == 0 { try wait(until: deadline, unless: interruption) }
        }
    }

    private func wait(
        until deadline: ContinuousClock.Instant, unless interruption: Interruption
    ) throws(BusFailure) {
        let left = deadline - .now
        guard left > .zero else { throw .timedOut }
        let (descriptor, events) = (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        guard descriptor >= 0, events >= 0 else { throw .unreachable(code: ENOTCONN) }
        var waiting = [
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        // The library may have another timeout in mind (while it logs in); a second is often enough to look again.
        _ = poll(&waiting, 2, Int32(min(left.microseconds / 1_000 + 1, 1_000)))
    }
}

extension Duration {
    /// Whole microseconds, none for a negative duration.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(seconds, 1 << 32) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}

/// Address of a message bus.
public struct BusAddress: Hashable, Sendable {
    /// The bus of the system, at the place that every machine with systemd has it.
    ///
    /// The environment of the process does not move it: an attacker who sets `DBUS_SYSTEM_BUS_ADDRESS` would be the sensor.
    /// Debug builds look there, for machines that only pretend to have one.
    public static var system: BusAddress {
        #if DEBUG
            system(in: getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) })
        #else
            system(in: nil)
        #endif
    }

    /// The address in the form of the D-Bus specification.
    let text: String

    /// Names a bus by its address in the form of the D-Bus specification, for example `unix:path=/run/bus`.
    public init(_ text: String) { self.text = text }

    /// The bus of the system where a variable of the environment, if it counts, has some content.
    static func system(in variable: String?) -> BusAddress {
        BusAddress(variable ?? "unix:path=/run/dbus/system_bus_socket")
    }
}

/// A method of an object on the bus, and texts to call it with.
struct BusCall {
    let destination: String
    let path: String
    let interface: String
    let member: String
    var arguments: [String] = []

    /// A method of the bus itself.
    static func bus(_ member: String, _ arguments: String...) -> BusCall {
        BusCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: member, arguments: arguments)
    }
}

/// Errors of a method call over the bus.
enum BusFailure: Error, Hashable, Sendable {
    /// The other side, or the bus in its name, answered with an error of this name.
    case refused(name: String)
    /// The bus cannot be reached or has gone; the number comes from the operating system.
    case unreachable(code: Int32)
    case timedOut
    /// The caller no longer wants to wait.
    case interrupted
    /// The service belongs to an account that is not trusted with what it says.
    case untrusted(uid: UInt32)
    case malformed
}
