import Foundation
import HardwareKeys
import TestSupport
import Testing

@testable import UserVerificationLinux

@Suite("Whether the account has a password is read from the answer of passwd, and from nothing else")
struct LinuxDeviceLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Path of a program that does what a script says.
    private func program(_ script: String) throws -> String {
        let path = folder.path + "/passwd"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private func status(_ script: String, limit: Duration = .seconds(60)) async throws -> DeviceLockStatus {
        await LinuxDeviceLock(program: try program(script), limit: limit).status()
    }

    @Test("A password is a lock, an empty one is none, and a locked account may have another way in")
    func words() async throws {
        for (word, expected) in [
            ("P", DeviceLockStatus.present), ("PS", .present), ("NP", .absent), ("L", .unknown), ("LK", .unknown),
            ("np", .unknown),
        ] {
            #expect(try await status("echo 'anna \(word) 2026-01-01 0 99999 7 -1'") == expected, "\(word)")
        }
    }

    @Test(
        "A failure, silence, too much and bytes that are no text tell nothing",
        arguments: [
            "echo 'anna NP'; exit 1", "echo 'anna NP'; kill -9 $$", "true", "echo NP", "echo 'anna NP' >&2",
            "printf 'anna NP \\377'",
            "yes 'anna NP'", "echo 'anna NP'; head -c 600 /dev/zero",
        ])
    func untold(script: String) async throws { #expect(try await status(script) == .unknown) }

    @Test("A program that is not there tells nothing")
    func absent() async {
        #expect(await LinuxDeviceLock(program: folder.path + "/none").status() == .unknown)
        #expect(await LinuxDeviceLock().status() != .absent)
    }

    @Test(
        "It is asked for the own account, without the environment of the application, and its input is empty",
        arguments: [#"[ "$#$1" = 1-S ]"#, #"[ -z "$HOME$USER$LD_PRELOAD" ]"#, #"[ "$LC_ALL" = C ]"#, "! read line"])
    func asked(condition: String) async throws {
        #expect(try await status("if \(condition); then echo 'anna NP'; fi") == .absent)
    }

    @Test("A program that does not end in time is killed")
    func slow() async throws {
        let script = "echo $$ > '\(folder.path)/number'; exec sleep 600"
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try await status(script, limit: .milliseconds(500)) == .unknown)
        #expect(clock.now - start < .seconds(60))
        let number = String(decoding: try folder.bytes(of: "number"), as: UTF8.self).filter(\.isNumber)
        #expect(kill(try #require(pid_t(number)), 0) == -1)
    }
}
