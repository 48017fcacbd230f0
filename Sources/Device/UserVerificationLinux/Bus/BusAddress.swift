#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a message bus is.
public struct BusAddress: Hashable, Sendable {
    /// The bus of the system, at the place that every machine with systemd has it.
    ///
    /// The environment of the process does not move it: whoever sets `DBUS_SYSTEM_BUS_ADDRESS` would be the sensor. Debug
    /// builds look there, for machines that only pretend to have one.
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
    public init(_ text: String) {
        self.text = text
    }

    /// The bus of the system where a variable of the environment, if it counts, has some content.
    static func system(in variable: String?) -> BusAddress {
        BusAddress(variable ?? "unix:path=/run/dbus/system_bus_socket")
    }
}
