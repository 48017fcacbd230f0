import BackendAPI
import BackendTransport
import Foundation
import JOSE
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Operations out of band against a server")
struct OutOfBandTests {
    private static let redeem = ScriptedBackend.address + "/token/redeem/"

    private func payload(
        _ operation: OperationKind, token: String = "token-1", linking: ChannelLinkingDemand? = nil,
        url: String? = nil
    ) throws -> OutOfBandPayload {
        let content = OutOfBandContent(
            token: token, redeemURL: url ?? Self.redeem + operation.pathName, channelLinking: linking)
        return OutOfBandPayload(OutOfBandEnvelope(.plain(content)))
    }

    private func phone(_ tokens: [String: OperationKind]) async throws -> TestPhone {
        let phone = try await TestPhone()
        phone.backend.script { $0.operations = tokens }
        return phone
    }

    private func register(_ phone: TestPhone, _ payload: OutOfBandPayload, user: TestUser? = nil) async throws {
        let step = try await phone.client.operations.outOfBandOperation.payload(payload).perform()
        guard case .registration(let registration) = step else { throw MissingFixture() }
        let person = await MainActor.run { user ?? TestUser(pins: ["482915"]) }
        try await registration.deviceInformation(DeviceInformation(name: "phone", fcmRegistrationToken: "push-1"))
            .authenticatorSelector(person).pinEnroller(person).perform()
    }

    private func authentication(_ phone: TestPhone, _ payload: OutOfBandPayload) async throws
        -> any OutOfBandAuthentication
    {
        let step = try await phone.client.operations.outOfBandOperation.payload(payload).perform()
        guard case .authentication(let authentication) = step else { throw MissingFixture() }
        return authentication
    }

    private func encrypted(_ content: OutOfBandContent, to phone: TestPhone, keyID: String? = nil) throws
        -> OutOfBandPayload
    {
        let key = try Fixtures.unwrap(phone.backend.devices.records.first?.encryptionKey)
        let token = try CompactJWE.seal(content.body, to: key, keyID: keyID)
        return OutOfBandPayload(OutOfBandEnvelope(.encrypted(token)))
    }

    @Test("A QR code leads to a registration with a record of the device, and a token to an authentication")
    func wholeWay() async throws {
        let phone = try await phone(["r": .registration, "a": .authentication])
        try await register(phone, try payload(.registration, token: "r"))
        #expect(phone.usernames == ["jeff"])
        let information = try #require(phone.client.localData.deviceInformation)
        #expect(information.idUsernamePairs == [IdUsernamePair(identifier: "target-1", username: "jeff")])
        #expect(information.deviceId?.hasPrefix(MetaData.bundleIdentifier + "#") == true)
        let operation = try await authentication(phone, try payload(.authentication, token: "a"))
        let user = await TestUser(pins: ["482915"])
        _ = try await operation.accountSelector(user).authenticatorSelector(user).pinUserVerifier(user).perform()
        #expect(phone.backend.requests(to: "/uaf/1.1/authentication/").count == 1)
        #expect(await user.accountChoices.count == 1)
    }

    @Test("Out of band the origin of the server is signed and no exchange: the token stood for the question")
    func serverBinding() async throws {
        let phone = try await phone(["r": .registration])
        try await register(phone, try payload(.registration, token: "r"))
        #expect(phone.backend.requests.allSatisfy { $0.headers.first(Endpoint.exchangeField) == nil })
        let sent = try #require(phone.backend.requests(to: "/uaf/1.1/registration/").first)
        let message = Array(try SendUAFResponse(body: sent.body).uafResponse.utf8)
        guard case .registration(let response) = try OperationResponse(message: message) else {
            throw MissingFixture()
        }
        let binding = try #require(response.finalChallenge.serverBinding)
        #expect(binding.origin == "https://server.example" && binding.exchange == nil)
    }

    @Test("The callback form calls exactly one closure")
    func callbacks() async throws {
        let phone = try await phone(["r": .registration])
        let payload = try payload(.registration, token: "r")
        let kind = await withCheckedContinuation { continuation in
            phone.client.operations.outOfBandOperation.payload(payload)
                .onRegistration { _ in continuation.resume(returning: "registration") }
                .onAuthentication { _ in continuation.resume(returning: "authentication") }
                .onError { _ in continuation.resume(returning: "error") }
                .execute()
        }
        #expect(kind == "registration")
    }

    @Test("An operation that no closure takes ends with Unknown and names the closure")
    func unhandled() async throws {
        let phone = try await phone(["r": .registration])
        let payload = try payload(.registration, token: "r")
        let error = await withCheckedContinuation {
            (continuation: CheckedContinuation<OutOfBandOperationError, Never>) in
            phone.client.operations.outOfBandOperation.payload(payload).onAuthentication { _ in }
                .onError { continuation.resume(returning: $0) }.execute()
        }
        #expect((error.cause as? UnhandledOperationError)?.handler == "onRegistration")
    }

    // MARK: - Deregistration

    @Test("A redeemed deregistration removes here what the server has forgotten, and nothing of other accounts")
    func deregistration() async throws {
        let phone = try await phone(["d": .deregistration, "e": .deregistration])
        try await phone.register("anna")
        try await phone.register("jeff")
        let payload = try payload(.deregistration, token: "d")
        let user = Consenting(true)
        let step = try await phone.client.operations.outOfBandOperation.payload(payload)
            .deregistrationConfirmer(user.confirmer).perform()
        guard case .deregistration = step else { throw MissingFixture() }
        #expect(await user.questions == ["https://server.example/nevisfido: anna, jeff"])
        #expect(phone.usernames == ["anna"])
        #expect(phone.backend.keys.count == 1)
        // The server has nothing left the second time, and that is no error either.
        let again = try self.payload(.deregistration, token: "e")
        guard
            case .deregistration = try await phone.client.operations.outOfBandOperation.payload(again)
                .deregistrationConfirmer(user.confirmer).perform()
        else { throw MissingFixture() }
        #expect(phone.usernames == ["anna"])
    }

    @Test("N-L5: the token of a deregistration that could not be written here is not redeemed")
    func unwritableDeregistration() async throws {
        let phone = try await phone(["d": .deregistration])
        try await phone.register("jeff")
        try phone.obstructWriting()
        let user = Consenting(true)
        await #expect(throws: OutOfBandOperationError.self) {
            _ = try await phone.client.operations.outOfBandOperation
                .payload(try self.payload(.deregistration, token: "d"))
                .deregistrationConfirmer(user.confirmer).perform()
        }
        #expect(phone.backend.requests(to: "/token/redeem/deregistration").isEmpty)
        #expect(phone.backend.keys.count == 1 && phone.usernames == ["jeff"])
        try phone.allowWriting()
        _ = try await phone.client.operations.outOfBandOperation
            .payload(try payload(.deregistration, token: "d")).deregistrationConfirmer(user.confirmer).perform()
        #expect(phone.backend.keys.isEmpty && phone.usernames.isEmpty)
    }

    @Test(
        "D-H5: the callback form of a deregistration needs closure and confirmer; without one nothing is redeemed",
        arguments: [nil, "onDeregistration", "deregistrationConfirmer"])
    func deregistrationCallback(missing: String?) async throws {
        let phone = try await phone(["d": .deregistration])
        try await phone.register("jeff")
        let payload = try payload(.deregistration, token: "d")
        let confirmer = Consenting(true).confirmer
        let error = await withCheckedContinuation {
            (continuation: CheckedContinuation<OutOfBandOperationError?, Never>) in
            let operation = phone.client.operations.outOfBandOperation.payload(payload)
            if missing != "onDeregistration" { operation.onDeregistration { continuation.resume(returning: nil) } }
            if missing != "deregistrationConfirmer" { operation.deregistrationConfirmer(confirmer) }
            operation.onRegistration { _ in }.onAuthentication { _ in }
                .onError { continuation.resume(returning: $0) }.execute()
        }
        #expect((error?.cause as? UnhandledOperationError)?.handler == missing)
        #expect(phone.usernames == (missing == nil ? [] : ["jeff"]))
        #expect(phone.backend.requests(to: "/token/redeem/deregistration").count == (missing == nil ? 1 : 0))
    }

    @Test("D-H5: a user who says no, or a confirmer that lets go of the question, leaves token and keys as they were")
    func deniedDeregistration() async throws {
        let phone = try await phone(["d": .deregistration])
        try await phone.register("jeff")
        let payload = try payload(.deregistration, token: "d")
        let error = await #expect(throws: OutOfBandOperationError.self) {
            try await phone.client.operations.outOfBandOperation.payload(payload)
                .deregistrationConfirmer(Consenting(false).confirmer).perform()
        }
        #expect(error?.isUserCancellation == true)
        #expect(phone.usernames == ["jeff"] && phone.backend.keys.count == 1)
        #expect(phone.backend.requests(to: "/token/redeem/deregistration").isEmpty)
    }

    @Test("D-H5: an enrolment link that carries something else is refused, and its token stays unredeemed")
    func foreignEnrolment() async throws {
        let phone = try await phone(["d": .deregistration, "a": .authentication])
        try await phone.register("jeff")
        let user = await TestUser(pins: ["482915"])
        for (token, kind) in [("d", "deregistration"), ("a", "authentication")] {
            let content = OutOfBandContent(token: token, redeemURL: Self.redeem + kind)
            let code = OutOfBandEnvelope(.plain(content)).base64URL
            let error = await #expect(throws: AuthCloudApiError.self) {
                try await phone.client.operations.authCloudApiRegistration
                    .appLinkUri("https://i.mauth.nevis.cloud/open?dispatchTokenResponse=\(code)")
                    .authenticatorSelector(user).pinEnroller(user).perform()
            }
            #expect(error?.cause is UnhandledOperationError)
        }
        #expect(phone.usernames == ["jeff"])
        #expect(!phone.backend.requests.contains { $0.url.hasPrefix(Self.redeem) })
    }

    @Test("A payload for this device is opened with its key, named by thumbprint, by record, or not at all")
    func encryption() async throws {
        let phone = try await phone([
            "r": .registration, "1": .authentication, "2": .authentication, "3": .authentication,
        ])
        try await register(phone, try payload(.registration, token: "r"))
        for (token, keyID) in [("1", nil), ("2", "target-1")] as [(String, String?)] {
            let content = OutOfBandContent(token: token, redeemURL: Self.redeem + "authentication")
            _ = try await authentication(phone, try encrypted(content, to: phone, keyID: keyID))
        }
        #expect(phone.backend.requests(to: "/token/redeem/authentication").count == 2)
    }

    @Test("A payload for another device, or one that was changed, is a DecryptionError without a request")
    func foreignKey() async throws {
        let phone = try await phone(["r": .registration])
        try await register(phone, try payload(.registration, token: "r"))
        let other = try await self.phone(["r": .registration])
        try await register(other, try payload(.registration, token: "r"))
        let content = OutOfBandContent(token: "t", redeemURL: Self.redeem + "authentication")
        let foreign = try encrypted(content, to: other)
        guard case .encrypted(let own) = try encrypted(content, to: phone).redeemData else { throw MissingFixture() }
        let mark: Character = own.last == "A" ? "E" : "A"
        let changed = OutOfBandPayload(OutOfBandEnvelope(.encrypted(String(own.dropLast(2)) + "\(mark)A")))
        let count = phone.backend.requests.count
        for payload in [foreign, changed, OutOfBandPayload(OutOfBandEnvelope(.encrypted("no token")))] {
            await #expect {
                _ = try await phone.client.operations.outOfBandOperation.payload(payload).perform()
            } throws: { error in
                if case OutOfBandOperationError.DecryptionError = error { true } else { false }
            }
        }
        #expect(phone.backend.requests.count == count)
    }

    @Test("A payload that points elsewhere leads to no request, also an encrypted one")
    func foreignAddress() async throws {
        let phone = try await phone(["r": .registration])
        try await register(phone, try payload(.registration, token: "r"))
        let url = "https://evil.example/token/redeem/authentication"
        let count = phone.backend.requests.count
        let inside = try encrypted(OutOfBandContent(token: "t", redeemURL: url), to: phone)
        for payload in [try payload(.authentication, url: url), inside] {
            await #expect {
                _ = try await phone.client.operations.outOfBandOperation.payload(payload).perform()
            } throws: { error in
                guard case OutOfBandOperationError.MalformedPayload(let cause) = error else { return false }
                return cause is UnknownServerError
            }
        }
        #expect(phone.backend.requests.count == count)
    }

    @Test("A second scan and a late one have errors of their own")
    func tokens() async throws {
        let phone = try await phone(["r": .registration])
        let scanned = try payload(.registration, token: "r")
        _ = try await phone.client.operations.outOfBandOperation.payload(scanned).perform()
        await #expect {
            _ = try await phone.client.operations.outOfBandOperation.payload(scanned).perform()
        } throws: { error in
            if case OutOfBandOperationError.TokenAlreadyRedeemed = error { true } else { false }
        }
        phone.backend.script {
            $0.faults["/token/redeem/registration"] = .body(ReturnUAFRequest(statusCode: .requestTimeout).body)
        }
        await #expect {
            _ = try await phone.client.operations.outOfBandOperation.payload(scanned).perform()
        } throws: { error in
            if case OutOfBandOperationError.TokenExpired = error { true } else { false }
        }
        phone.backend.script { $0.faults["/token/redeem/registration"] = .httpStatus(503) }
        await #expect {
            _ = try await phone.client.operations.outOfBandOperation.payload(scanned).perform()
        } throws: { error in
            if case OutOfBandOperationError.NetworkError(let cause) = error { cause is HTTPStatusError } else { false }
        }
    }

    @Test("Without a payload, and a second time, the operation ends with Unknown")
    func wrongUse() async throws {
        let phone = try await phone([:])
        let operation = phone.client.operations.outOfBandOperation
        await #expect {
            _ = try await operation.perform()
        } throws: { error in
            (error as? OutOfBandOperationError)?.cause as? MissingParameterError == MissingParameterError("payload")
        }
        await #expect {
            _ = try await operation.perform()
        } throws: { error in (error as? OutOfBandOperationError)?.cause is OperationReuseError }
    }

    // MARK: - Authentication Cloud

    @Test("An enroll response leads through redeem to a registration; what is none sends nothing")
    func cloud() async throws {
        let phone = try await phone(["r": .registration])
        let code = OutOfBandEnvelope(
            .plain(OutOfBandContent(token: "r", redeemURL: Self.redeem + "registration"))
        ).base64URL
        let link = "https://i.mauth.nevis.cloud/open?dispatchTokenResponse=\(code)"
        let user = await TestUser(pins: ["482915"])
        func registration() -> any AuthCloudApiRegistration {
            phone.client.operations.authCloudApiRegistration.deviceInformation(DeviceInformation(name: "phone"))
                .authenticatorSelector(user).pinEnroller(user)
        }
        for operation in [registration(), registration().enrollResponse("{}"), registration().appLinkUri("x")] {
            await #expect {
                try await operation.perform()
            } throws: { error in if case AuthCloudApiError.MalformedPayload = error { true } else { false } }
        }
        #expect(phone.backend.requests.isEmpty)
        try await registration().enrollResponse(#"{"enrollment":{"appLinkUri":"\#(link)"}}"#).perform()
        #expect(phone.usernames == ["jeff"])
        await #expect {
            try await registration().appLinkUri(link).perform()
        } throws: { error in if case AuthCloudApiError.TokenAlreadyRedeemed = error { true } else { false } }
    }

    // MARK: - Channel linking

    @Test("Attacks A-7 and A-8: the digits of the other screen go to the server with the signed response")
    func typedDigits() async throws {
        let phone = try await phone(["r": .registration, "a": .authentication])
        try await register(phone, try payload(.registration, token: "r"))
        let operation = try await authentication(
            phone, try payload(.authentication, token: "a", linking: .typed(length: 2)))
        let user = await TestUser(pins: ["482915"])
        await MainActor.run { user.digits = ["4", "4x", "421", "42"] }
        _ = try await operation.accountSelector(user).channelLinker(user).authenticatorSelector(user)
            .pinUserVerifier(user).perform()
        #expect(phone.backend.contexts.last?.linkingDigits == "42")
        let asked = await user.linkings
        #expect(asked.map { $0.lastRecoverableError == nil } == [true, false, false, false])
        #expect(
            asked.allSatisfy { $0.mode == .typed && $0.digitCount == 2 && $0.digits == nil && $0.username == "jeff" })
    }

    @Test("Digits to compare are shown, and sent once the user has confirmed them")
    func comparedDigits() async throws {
        let phone = try await phone(["r": .registration, "a": .authentication])
        try await register(phone, try payload(.registration, token: "r"))
        let operation = try await authentication(
            phone, try payload(.authentication, token: "a", linking: .compare("731")))
        let user = await TestUser(pins: ["482915"])
        _ = try await operation.accountSelector(user).channelLinker(user).authenticatorSelector(user)
            .pinUserVerifier(user).perform()
        #expect(await user.linkings.first?.digits == "731")
        #expect(phone.backend.contexts.last?.linkingDigits == "731")
    }

    @Test("An application without a linker confirms what needs no link, and is told what is missing otherwise")
    func noLinker() async throws {
        let phone = try await phone(["r": .registration, "a": .authentication])
        try await register(phone, try payload(.registration, token: "r"))
        let operation = try await authentication(
            phone, try payload(.authentication, token: "a", linking: .typed(length: 2)))
        let user = await TestUser(pins: ["482915"])
        await #expect {
            _ = try await operation.accountSelector(user).authenticatorSelector(user).pinUserVerifier(user).perform()
        } throws: { error in
            (error as? AuthenticationError)?.cause as? MissingParameterError == MissingParameterError("channelLinker")
        }
        #expect(await user.statuses.isEmpty)
        #expect(phone.backend.contexts.last?.clientErrorCode != nil)
    }

    @Test(
        "Attack A-7: who denies can say that it was not his, at the account and at the digits",
        arguments: [true, false])
    func denial(atAccount: Bool) async throws {
        let phone = try await phone(["r": .registration, "a": .authentication])
        try await register(phone, try payload(.registration, token: "r"))
        let operation = try await authentication(
            phone, try payload(.authentication, token: "a", linking: .typed(length: 2)))
        let user = await TestUser(pins: ["482915"])
        if atAccount { await MainActor.run { user.account = nil } }
        await #expect {
            _ = try await operation.accountSelector(user).channelLinker(user).authenticatorSelector(user)
                .pinUserVerifier(user).perform()
        } throws: { error in (error as? AuthenticationError)?.isUserCancellation == true }
        #expect(phone.backend.contexts.last?.isReported == true)
        #expect(phone.backend.contexts.last?.clientErrorCode == .userCancelled)
    }
}

/// A user who always says the same to the loss of registrations, and remembers what he was shown.
@MainActor
private final class Consenting {
    private(set) var questions: [String] = []
    private let isWilling: Bool

    nonisolated init(_ isWilling: Bool) { self.isWilling = isWilling }

    nonisolated var confirmer: any DeregistrationConfirmer {
        DeregistrationConfirmation.async { context in
            let names = context.accounts.map(\.username).joined(separator: ", ")
            self.questions.append("\(context.server.baseUrl.absoluteString): \(names)")
            return self.isWilling
        }
    }
}
