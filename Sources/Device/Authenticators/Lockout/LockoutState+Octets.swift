import HardwareKeys
import Octets

extension LockoutState {
    /// Appends the number of failures and, when there are any, the moment of the last.
    func write(to writer: inout OctetWriter) {
        writer.writeUInt32LittleEndian(UInt32(clamping: failures))
        writer.writeUInt8(lastFailure == nil ? 0 : 1)
        lastFailure?.write(to: &writer)
    }

    /// Reads what ``write(to:)`` appended.
    init(from reader: inout OctetReader) throws {
        let failures = Int(try reader.readUInt32LittleEndian())
        switch try reader.readUInt8() {
        case 0: self.init(failures: failures, lastFailure: nil)
        case 1: self.init(failures: failures, lastFailure: try ClockReading(from: &reader))
        default: throw CredentialStoreError.damaged
        }
    }
}

extension ClockReading {
    /// Appends wall clock, run, time since its start and, where there is one, the clock in the chip.
    fileprivate func write(to writer: inout OctetWriter) {
        writer.writeInt64LittleEndian(wallSeconds)
        writer.write(bootID.octets)
        writer.writeInt64LittleEndian(bootMilliseconds)
        writer.writeUInt8(chip == nil ? 0 : 1)
        guard let chip else { return }
        writer.writeInt64LittleEndian(Int64(bitPattern: chip.milliseconds))
        writer.writeUInt32LittleEndian(chip.resetCount)
        writer.writeUInt8(chip.isSafe ? 1 : 0)
    }

    fileprivate init(from reader: inout OctetReader) throws {
        let wall = try reader.readInt64LittleEndian()
        guard let bootID = BootID(try reader.read(count: BootID.byteCount)) else {
            throw CredentialStoreError.damaged
        }
        let boot = try reader.readInt64LittleEndian()
        let chip: TrustedTime?
        switch try reader.readUInt8() {
        case 0: chip = nil
        case 1:
            chip = TrustedTime(
                milliseconds: UInt64(bitPattern: try reader.readInt64LittleEndian()),
                resetCount: try reader.readUInt32LittleEndian(), isSafe: try reader.readUInt8() == 1)
        default: throw CredentialStoreError.damaged
        }
        self.init(wallSeconds: wall, bootID: bootID, bootMilliseconds: boot, chip: chip)
    }
}
