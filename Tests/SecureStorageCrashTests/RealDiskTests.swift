import Foundation
import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite(
    "STO-2: real disks that are full or cannot be written",
    .enabled(if: ChildStorage.canMount, "mounting a disk for a test takes root and unshare(1)"))
struct RealDiskTests {
    private static let (noRoom, readOnly) = (28, 30)

    @Test("A full disk is told as such; the last state stays, and what is removed makes room for the next write")
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let child = try ChildStorage(
            shell:
                "mount -t tmpfs -o size=256k,mode=700 tmpfs '\(folder.path)'; exec \"$CHILD\" grow '\(folder.path)/d'")
        let said = try child.numbers()
        #expect(child.isSuccess)
        try #require(said.count == 4, "\(said)")
        #expect(said[0] == Self.noRoom)
        #expect(said[1] > 3 && said[2] == said[1], "wrote \(said[1]) entries and found \(said[2])")
        #expect(said[3] == said[1] / 2)
    }

    @Test("A disk that becomes read-only: the storage opens, a write is refused, and works when the disk is back")
    func readOnlyDisk() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let child = try ChildStorage(
            shell: """
                mount -t tmpfs -o size=1m,mode=700 tmpfs '\(path)'
                "$CHILD" try '\(path)/d' 1
                mount -o remount,ro '\(path)'
                "$CHILD" try '\(path)/d' 2
                mount -o remount,rw '\(path)'
                "$CHILD" try '\(path)/d' 3
                """)
        #expect(try child.numbers() == [0, 1, Self.readOnly, 1, 0, 3])
        #expect(child.isSuccess)
    }
}
