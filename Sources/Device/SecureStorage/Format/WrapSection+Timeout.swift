import Octets

extension WrapSection {
    private static let leastMilliseconds: Int64 = 1
    private static let mostMilliseconds: Int64 = 86_400_000

    /// How long values can be read after the user was there, a millisecond to a day.
    var reauthenticationTimeout: Duration? {
        get {
            guard let field = self[.reauthenticationTimeout] else { return nil }
            var reader = OctetReader(field)
            return (try? reader.readUInt32LittleEndian()).map { .milliseconds($0) }
        }
        set {
            self[.reauthenticationTimeout] = newValue.map { timeout in
                let (seconds, attoseconds) = timeout.components
                let bounded = min(max(seconds, 0), Self.mostMilliseconds / 1_000)
                let milliseconds = bounded * 1_000 + attoseconds / 1_000_000_000_000_000
                var writer = OctetWriter()
                writer.writeUInt32LittleEndian(
                    UInt32(min(max(milliseconds, Self.leastMilliseconds), Self.mostMilliseconds)))
                return writer.bytes
            }
        }
    }
}
