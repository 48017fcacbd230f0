import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite(
    "UAF vectors: server cases end with their exact status", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct ServerVectorTests {
    /// 2026-07-01, within the lifetime of the good test certificates.
    private static let now = Moment(milliseconds: 1_782_864_000_000)

    @Test(
        "Every case of the file",
        arguments: VectorFolder.isPresent ? try VectorFolder.files(in: "uaf", prefix: "synthetic-") : [])
    func cases(of file: String) async throws {
        for vector in try ServerVector.cases(of: file) {
            switch vector.kind {
            case "registration": try await judgeRegistration(vector)
            case "authentication": try judgeAuthentication(vector)
            default: Issue.record("unknown kind of case \(vector.id)")
            }
        }
    }

    @Test("There are files to run", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
    func presence() throws {
        #expect(try !VectorFolder.files(in: "uaf", prefix: "synthetic-").isEmpty)
    }

    private func judgeRegistration(_ vector: ServerVector) async throws {
        do throws(RelyingPartyError) {
            let verification = RegistrationVerification(settings: try settings(of: vector))
            let received = try verification.received(vector.message)
            let addressed = try verification.addressed(received, to: try offer(of: vector))
            let verified = try await verification.verified(
                addressed, challenge: try known { try vector.challengeState },
                registered: Set(try known { try vector.registrations }.map(\.id)), at: Self.now)
            #expect(vector.expectation.isAccepted, "\(vector.id) was accepted")
            if let positions = vector.expectation.acceptedAssertions {
                #expect(verified.credentials.map(\.assertion) == positions, "\(vector.id)")
            }
            expectFlag(of: vector, isIncreasedRisk: verified.credentials.contains(where: \.isIncreasedRisk))
        } catch {
            expect(error, of: vector)
        }
    }

    private func judgeAuthentication(_ vector: ServerVector) throws {
        do throws(RelyingPartyError) {
            let verification = AuthenticationVerification(settings: try settings(of: vector))
            let received = try verification.received(vector.message)
            let offer = AuthenticationOffer(
                request: try known { try vector.request }, account: try known { try vector.account },
                transactionHashes: try known { try vector.transactionHashes }, issuedAt: Self.now)
            let verified = try verification.verified(
                try verification.addressed(received, to: offer), challenge: try known { try vector.challengeState },
                registered: try known { try vector.registrations })
            #expect(vector.expectation.isAccepted, "\(vector.id) was accepted")
            expectFlag(of: vector, isIncreasedRisk: verified.uses.contains(where: \.isIncreasedRisk))
        } catch {
            expect(error, of: vector)
        }
    }

    // MARK: - Steps

    private func settings(of vector: ServerVector) throws(RelyingPartyError) -> RelyingPartySettings {
        try known { try vector.settings }
    }

    private func offer(of vector: ServerVector) throws(RelyingPartyError) -> RegistrationOffer {
        try known { RegistrationOffer(request: try vector.request, account: try vector.account) }
    }

    /// What the vector says the server knows; a vector that cannot be read is a failure of the test.
    private func known<Value>(_ read: () throws -> Value) throws(RelyingPartyError) -> Value {
        do {
            return try read()
        } catch {
            Issue.record(error)
            throw RelyingPartyError(.header, operation: .registration, stage: .addressing)
        }
    }

    private func expect(_ error: RelyingPartyError, of vector: ServerVector) {
        #expect(!vector.expectation.isAccepted, "\(vector.id) was refused: \(error)")
        #expect(error.status.rawValue == vector.expectation.status, "\(vector.id): \(error)")
        if error.stage == .addressing { #expect(error.rule.check <= 7 || error.rule.check == 9, "\(vector.id)") }
        if error.stage == .judging { #expect(error.rule.check >= 8, "\(vector.id)") }
    }

    private func expectFlag(of vector: ServerVector, isIncreasedRisk: Bool) {
        switch vector.expectation.flag {
        case nil: #expect(!isIncreasedRisk, "\(vector.id)")
        case "increasedRisk": #expect(isIncreasedRisk, "\(vector.id)")
        default: Issue.record("unknown flag in \(vector.id)")
        }
    }
}
