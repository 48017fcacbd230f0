import Octets

extension LockoutState {
    /// Appends the number of failures and, when there are any, the moment of the last.
    func write(to writer: inout OctetWriter) {
        writer.writeUInt32LittleEndian(UInt32(clamping: failures))
        writer.writeUInt8(lastFailure == nil ? 0 : 1)
        guard let lastFailure else { return }
        writer.writeInt64LittleEndian(lastFailure.wallSeconds)
        writer.write(lastFailure.bootID.octets)
        writer.writeInt64LittleEndian(lastFailure.bootMilliseconds)
    }

    /// Reads what ``write(to:)`` appended.
    init(from reader: inout OctetReader) throws {
        let failures = Int(try reader.readUInt32LittleEndian())
        switch try reader.readUInt8() {
        case 0: self.init(failures: failures, lastFailure: nil)
        case 1:
            let wall = try reader.readInt64LittleEndian()
            guard let bootID = BootID(try reader.read(count: BootID.byteCount)) else {
                throw CredentialStoreError.damaged
            }
            let boot = try reader.readInt64LittleEndian()
            self.init(
                failures: failures,
                lastFailure: ClockReading(wallSeconds: wall, bootID: bootID, bootMilliseconds: boot))
        default: throw CredentialStoreError.damaged
        }
    }
}
