import Testing

@testable import HardwareKeys

@Suite("A disk on another machine is recognised by the table of mounts")
struct NetworkFileSystemTests {
    private let mounts = Array(
        """
        21 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
        30 21 0:41 / /home rw,nosuid shared:9 master:2 - nfs4 server:/home rw,vers=4.2
        31 21 0:42 / /mnt/share rw - cifs //server/share rw
        32 21 0:43 / /mnt/ssh rw - fuse.sshfs host:/ rw
        33 21 0:44 / /mnt/usb rw - fuseblk /dev/sdb1 rw
        34 21 8:1000 / /mnt/large rw - 9p share rw
        35 21 0:45 / /broken rw
        """.utf8)

    @Test("Network file systems are found by the number of their device")
    func remote() {
        #expect(NetworkFileSystem(ofDevice: 41, in: mounts) == .nfs4)
        #expect(NetworkFileSystem(ofDevice: 42, in: mounts) == .cifs)
        #expect(NetworkFileSystem(ofDevice: 43, in: mounts) == .sshfs)
        // The minor number 1000 is 0x3E8: its low byte stands lowest, the rest from bit 20 on.
        #expect(NetworkFileSystem(ofDevice: 0x0030_08E8, in: mounts) == .plan9)
    }

    @Test("Local ones, unknown devices and lines that make no sense are not")
    func local() {
        #expect(NetworkFileSystem(ofDevice: 0xFE01, in: mounts) == nil)
        #expect(NetworkFileSystem(ofDevice: 44, in: mounts) == nil)
        #expect(NetworkFileSystem(ofDevice: 45, in: mounts) == nil)
        #expect(NetworkFileSystem(ofDevice: 99, in: mounts) == nil)
        #expect(NetworkFileSystem(ofDevice: 99, in: []) == nil)
    }
}
