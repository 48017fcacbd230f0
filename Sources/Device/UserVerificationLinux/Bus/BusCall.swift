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
