/// Where a message bus is.
public struct BusAddress: Hashable, Sendable {
    /// The bus of the system, or what `DBUS_SYSTEM_BUS_ADDRESS` says in its place.
    public static let system = BusAddress(text: nil)

    /// The address in the form of the D-Bus specification; nil for the bus of the system.
    let text: String?

    private init(text: String?) {
        self.text = text
    }

    /// Names a bus by its address in the form of the D-Bus specification, for example `unix:path=/run/bus`.
    public init(_ text: String) {
        self.text = text
    }
}
