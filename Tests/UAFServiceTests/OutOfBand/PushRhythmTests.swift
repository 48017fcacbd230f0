import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Out of band: when a user is asked again (A-7)")
struct PushRhythmTests {
    private static func clock(_ hours: Int64, _ minutes: Int64 = 0) -> Timestamp {
        let start = ManualClock.start.milliseconds
        return Timestamp(milliseconds: start - start % 86_400_000 + (hours * 60 + minutes) * 60_000)
    }

    private static func limited(_ settings: inout ServerSettings) {
        settings.outOfBand.limits = OperationLimits()
        settings.outOfBand.limits.pushes = 1_000
    }

    /// Dispatches; the time to wait when that is refused.
    private func wait(_ stage: OutOfBandStage) async throws -> Duration? {
        do {
            #expect(try await stage.server.dispatch(to: stage.target).result == .dispatched)
            return nil
        } catch ServerError.tooManyOperations(let wait) {
            return wait
        }
    }

    @Test("A-7: The first repetition is free, then each push that brings no success doubles the wait")
    func growth() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        #expect(try await wait(stage) == nil)
        #expect(try await wait(stage) == nil)
        for seconds in [15, 30, 60, 120] {
            #expect(try await wait(stage) == .seconds(seconds))
            stage.server.clock.advance(by: .milliseconds(seconds * 1_000 - 1))
            #expect(try await wait(stage) == .seconds(1), "not a moment earlier")
            stage.server.clock.advance(by: .milliseconds(1))
            #expect(try await wait(stage) == nil)
        }
        let record = try #require(try await stage.server.auditTexts().last { $0.contains("DISPATCH_REFUSED") })
        #expect(record.contains("pushesUnanswered"))
    }

    @Test("A-7: A success ends the wait; links, QR codes and the application never wait")
    func success() async throws {
        let stage = try await OutOfBandStage(change: Self.limited)
        for _ in 0..<2 { _ = try await wait(stage) }
        #expect(try await wait(stage) == .seconds(15))
        #expect(try await stage.server.dispatch(by: .link).result == .dispatched)
        stage.server.clock.advance(by: .seconds(15))
        let (_, request) = try await stage.redeemed()
        #expect(try await wait(stage) == .seconds(30))
        #expect(try await stage.server.answer(request, with: stage.phone).message.statusCode == .ok)
        #expect(try await wait(stage) == nil)
        #expect(try await wait(stage) == nil)
    }

    /// What a patient attacker gets who pushes whenever that is allowed, for an hour.
    private func prompts(_ change: (inout OperationLimits) -> Void) async throws -> Int {
        let stage = try await OutOfBandStage { settings in
            settings.outOfBand.limits = OperationLimits()
            change(&settings.outOfBand.limits)
        }
        let end = stage.server.clock.now() + .seconds(3_600)
        while stage.server.clock.now() < end {
            stage.server.clock.advance(by: try await wait(stage) ?? .zero)
        }
        return stage.server.push.parcels.count
    }

    @Test("A-7: What an attacker can hope for in an hour, when one person in a hundred accepts a prompt")
    func attacker() async throws {
        let limitAlone = try await prompts { $0.backOff.firstWait = .zero }
        let both = try await prompts { _ in }
        let slow = try await prompts { $0.backOff.firstWait = .seconds(120) }
        #expect(limitAlone == 30, "five in each window of ten minutes")
        #expect(both <= limitAlone && slow < both)
        // Expected accepts of 1,000 people who are attacked for an hour, at 1 % for each prompt.
        let accepts = [limitAlone, both, slow].map { $0 * 10 }
        #expect(accepts[0] == 300 && accepts[2] <= 200)
    }

    @Test("A-7: In quiet hours nothing is pushed, and the refusal says until when; what the person begins goes on")
    func quietHours() async throws {
        let stage = try await OutOfBandStage { settings in
            settings.outOfBand.limits.quietHours = QuietHours(from: 22 * 60, to: 6 * 60 + 30, offset: 60)
        }
        let midnight = Self.clock(24)
        stage.server.clock.advance(by: midnight - stage.server.clock.now())
        await #expect(throws: ServerError.quietHours(retryAfter: .seconds(5 * 3_600 + 1_800))) {
            try await stage.server.dispatch(to: stage.target)
        }
        #expect(stage.server.push.parcels.isEmpty)
        let record = try #require(try await stage.server.auditTexts().last)
        #expect(record.contains("DISPATCH_REFUSED") && record.contains("quietHours"))
        #expect(try await stage.server.dispatch(by: .link).result == .dispatched)
        stage.server.clock.advance(by: .seconds(5 * 3_600 + 1_800))
        #expect(try await stage.server.dispatch(to: stage.target).result == .dispatched)
    }

    @Test("Quiet hours begin and end to the minute, over midnight or within a day, by the clock of the place")
    func boundaries() throws {
        let night = try #require(QuietHours(from: 22 * 60, to: 6 * 60))
        #expect(night.end(at: Self.clock(22)) == Self.clock(30))
        #expect(night.end(at: Self.clock(5, 59)) == Self.clock(6))
        #expect(night.end(at: Self.clock(6)) == nil)
        #expect(night.end(at: Self.clock(21, 59)) == nil)
        let lunch = try #require(QuietHours(from: 12 * 60, to: 13 * 60, offset: -300))
        #expect(lunch.end(at: Self.clock(17, 30)) == Self.clock(18))
        #expect(lunch.end(at: Self.clock(12, 30)) == nil)
        #expect(QuietHours(from: 60, to: 60) == nil)
        #expect(QuietHours(from: 0, to: 1_440) == nil)
        #expect(QuietHours(from: 0, to: 60, offset: 900) == nil)
    }
}
