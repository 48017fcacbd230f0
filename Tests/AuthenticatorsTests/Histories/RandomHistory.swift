import HardwareKeys
import TestSupport
import Testing

@testable import Authenticators

/// One random life of a PIN: entries, waits, restarts, crashes and older files, each judged by a few rules.
struct RandomHistory {
    private static let right = "482913"
    private static let wrong = "000000"
    private static let waits = LockoutPolicy.standard

    private let stage: HistoryStage
    private let credential: Credential
    private let key: KeyReference
    private var random: SeededGenerator
    private var oldFiles: [[String: [UInt8]]] = []
    /// Wrong PINs that were judged since the last success.
    private var wrongTries = 0
    /// The time that has passed for sure since the last wrong PIN; nil once an older file stands in for it.
    private var sinceWrong: Duration? = .zero

    init(on stage: HistoryStage, seed: UInt64) async throws {
        self.stage = stage
        random = SeededGenerator(seed: seed)
        credential = try await stage.device.enroll(Self.right)
        key = try #require(try await stage.device.store.contents().stored(credential.id)).key
    }

    mutating func play(steps: Int) async throws {
        for _ in 0..<steps { try await step() }
        try await stage.device.store.update { $0.delete(credential.id) }
        try await KeyJournal(stage.device.ports).destroyRemoved()
    }

    private mutating func step() async throws {
        oldFiles.append(try stage.storeFiles())
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4: try await enter(Self.wrong, dying: false)
        case 5: try await enter(Self.wrong, dying: true)
        case 6: try await enter(Self.right, dying: false)
        case 7: try await enter(Self.right, dying: true)
        case 8, 9: pass([1, 59, 60, 61, 179, 180, 1_000].randomElement(using: &random) ?? 0)
        case 10: try restart()
        default: try await disturb()
        }
    }

    // MARK: - Time

    private mutating func pass(_ seconds: Int64) {
        stage.device.clock.advance(seconds: seconds)
        sinceWrong? += .seconds(seconds)
    }

    private mutating func restart() throws {
        try stage.restartChip()
        let wall = Int64.random(in: -100...100, using: &random)
        let boot = stage.device.clock.read().bootID == .first ? BootID.second : .first
        stage.device.clock.set { now in
            ClockReading(wallSeconds: now.wallSeconds + wall, bootID: boot, bootMilliseconds: 1_000)
        }
        if sinceWrong != nil { sinceWrong = .zero }
    }

    private mutating func disturb() async throws {
        if Bool.random(using: &random) {
            let wall = Int64.random(in: -1_000...100_000, using: &random)
            stage.device.clock.set { $0.moved(wall: wall, boot: 0) }
        } else if let old = oldFiles.randomElement(using: &random) {
            guard !stage.tellsOlderFiles else { return try await expectRefusal(of: old) }
            try stage.replaceStoreFiles(old)
            sinceWrong = nil
        }
    }

    /// An older copy, of all files or of the storage alone, opens nowhere; the newest does again.
    private mutating func expectRefusal(of old: [String: [UInt8]]) async throws {
        // What a crash has cut off is finished first: until then the state before it is the last one as well.
        _ = try await stage.device.reopened()
        let newest = try stage.storeFiles()
        let isWhole = Bool.random(using: &random)
        try stage.replaceStoreFiles(isWhole ? old : old.filter { $0.key.hasSuffix("credentials.sst") })
        if try stage.storeFiles() != newest {
            await #expect(throws: CredentialStoreError.rolledBack) { _ = try await stage.device.reopened() }
        }
        try stage.replaceStoreFiles(newest)
    }

    // MARK: - Entries

    private mutating func enter(_ digits: String, dying: Bool) async throws {
        let before = try await failures()
        let disk = FaultyFileSystem(
            .death(.allCases.randomElement(using: &random) ?? .before),
            at: dying ? Int.random(in: 0..<40, using: &random) : .max, over: stage.files)
        let answer: AuthenticatorError?
        do {
            _ = try await stage.device.reopened(on: disk).sign(credential, digits)
            answer = nil
        } catch {
            answer = error as? AuthenticatorError ?? .derivationFailed
        }
        let after = try await failures()
        let isRight = digits == Self.right
        #expect(after == before || after == before + 1 || (isRight && before < 5 && after == 0))
        guard !disk.isDead else {
            if after > before { judged() }
            // A try that began makes the next one wait; for how long is not followed.
            if after == 0 { wrongTries = 0 }
            sinceWrong = nil
            return
        }
        judge(answer, isRight: isRight, before: before, after: after)
    }

    private mutating func judge(_ answer: AuthenticatorError?, isRight: Bool, before: Int, after: Int) {
        switch answer {
        case nil:
            #expect(isRight && after == 0 && before < 5)
            requireWaited(before)
            wrongTries = 0
            sinceWrong = .zero
        case .wrongSecret(let left, _):
            #expect(!isRight && after == before + 1 && left == 5 - after && left > 0)
            requireWaited(before)
            judged()
        case .coolingDown(let left, let coolDown):
            #expect(after == before && left == 5 - before && coolDown > .zero && coolDown <= .seconds(180))
        case .lockedOut:
            #expect(after == 5)
            if before < 5 {
                #expect(!isRight)
                judged()
            }
        default: Issue.record("unexpected: \(String(describing: answer))")
        }
    }

    private mutating func judged() {
        wrongTries += 1
        sinceWrong = .zero
        #expect(wrongTries <= 5)
    }

    /// A try is judged only after the wait of the table.
    private func requireWaited(_ failures: Int) {
        guard let sinceWrong else { return }
        #expect(sinceWrong >= Self.waits.wait(after: failures))
    }

    private func failures() async throws -> Int {
        Int(try #require(try await stage.device.vault.attempts(of: key)).failures)
    }
}
