import CDBus

/// A message from the bus, read from its beginning to its end.
final class BusMessage {
    private let message: OpaquePointer

    init(owning message: OpaquePointer) { self.message = message }

    deinit {
        sd_bus_message_unref(message)
    }

    /// Unique name of the sender, guaranteed by the bus.
    var sender: String { sd_bus_message_get_sender(message).map { String(cString: $0) } ?? "" }

    func isSignal(_ member: String, of interface: String) -> Bool {
        sd_bus_message_is_signal(message, interface, member) > 0
    }

    func isAbout(_ path: String) -> Bool {
        sd_bus_message_get_path(message).map { String(cString: $0) } == path
    }

    func readText() throws(BusFailure) -> String { try readString(type: SD_BUS_TYPE_STRING) }

    func readPath() throws(BusFailure) -> String { try readString(type: SD_BUS_TYPE_OBJECT_PATH) }

    func readNumber() throws(BusFailure) -> UInt32 {
        var number: UInt32 = 0
        guard sd_bus_message_read_basic(message, CChar(SD_BUS_TYPE_UINT32), &number) > 0 else { throw .malformed }
        return number
    }

    func readFlag() throws(BusFailure) -> Bool {
        var flag: Int32 = 0
        guard sd_bus_message_read_basic(message, CChar(SD_BUS_TYPE_BOOLEAN), &flag) > 0 else { throw .malformed }
        return flag != 0
    }

    func readTexts() throws(BusFailure) -> [String] {
        let inner = "s"
        guard sd_bus_message_enter_container(message, CChar(SD_BUS_TYPE_ARRAY), inner) > 0 else { throw .malformed }
        var texts: [String] = []
        while sd_bus_message_at_end(message, 0) == 0 { texts.append(try readText()) }
        return texts
    }

    private func readString(type: some BinaryInteger) throws(BusFailure) -> String {
        var text: UnsafePointer<CChar>?
        // The text lies in the message and lives as long as that.
        guard sd_bus_message_read_basic(message, CChar(type), &text) > 0, let text else { throw .malformed }
        return String(cString: text)
    }
}
