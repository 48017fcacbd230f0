import Foundation
import HardwareKeys
import Testing

@testable import SecureStorage

@Suite("STO-9, D-L7: what Apple's backups and data protection are told of the files")
struct AppleFileTests {
    @Test("D-L7: the backup attribute holds the property list that Foundation writes")
    func propertyList() throws {
        let written = try PropertyListSerialization.data(
            fromPropertyList: "com.apple.backupd", format: .binary, options: 0)
        #expect(Data(BackupExclusion.value) == written)
        let read = try PropertyListSerialization.propertyList(from: Data(BackupExclusion.value), format: nil)
        #expect(read as? String == "com.apple.backupd")
    }

    @Test("D-L7: a backup attribute that cannot be set is told, where attributes exist")
    func attribute() throws {
        var names: [String] = []
        try BackupExclusion.state { name, value in
            names.append(name)
            return value == BackupExclusion.value ? 0 : EIO
        }
        #expect(names == ["com.apple.metadata:com_apple_backup_excludeItem"])
        try BackupExclusion.state { _, _ in ENOTSUP }
        for code in [EPERM, EIO, ENOSPC] {
            #expect(throws: SecureStorage.SecureStorageError.ioFailure(code: code)) {
                try BackupExclusion.state { _, _ in code }
            }
        }
    }

    @Test("STO-9: files are closed until the first unlock; a refusal of the class is told, where classes exist")
    func protectionClass() throws {
        var classes: [Int32] = []
        try FileProtection.state {
            classes.append($0)
            return 0
        }
        // PROTECTION_CLASS_C of XNU's sys/content_protection.h.
        #expect(classes == [3])
        for code in [ENOTSUP, EINVAL, ENOTTY] { try FileProtection.state { _ in code } }
        for code in [EPERM, EIO] {
            #expect(throws: FileSystemError.failed(code: code)) { try FileProtection.state { _ in code } }
        }
    }
}
