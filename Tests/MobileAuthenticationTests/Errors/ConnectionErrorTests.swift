import BackendTransport
import Foundation
import MobileAuthenticationTestKit
import TestSupport
import Testing
import UAF

@testable import MobileAuthentication

@Suite("N-L1: why there was no answer reaches the application and the person")
struct ConnectionErrorTests {
    private static func error(for failure: BackendTransportError) -> OperationError {
        .NetworkError(cause: failure.forApplication)
    }

    @Test(
        "Every failure of a connection is found again under the error of the operation, with words in every language",
        arguments: BackendTransportError.everyCase)
    func everyCase(failure: BackendTransportError) {
        let error = Self.error(for: failure)
        if let cause = error.cause as? URLError {
            #expect(BackendTransportError(behind: cause) == failure)
            #expect(cause.localizedDescription == failure.texts.description.localized)
            #expect(error.errorDescription == failure.texts.description.localized)
        }
        #expect(error.errorDescription?.isEmpty == false)
        for text in [failure.texts.description, failure.texts.recovery] {
            #expect(Set(SDKLanguage.allCases.map(text.text(in:))).count == 4)
        }
    }

    /// Those that a person can do something about, each something else.
    private static let told: [BackendTransportError] = [
        .untrustedConnection(.untrustedCertificate), .untrustedConnection(.wrongHost),
        .untrustedConnection(.pinMismatch), .untrustedConnection(.handshake), .closedPort, .unknownHost,
        .noConnection, .malformedResponse, .timedOut,
    ]

    @Test("No two of them have the same words, and each says what helps")
    func words() {
        let descriptions = Self.told.compactMap { Self.error(for: $0).errorDescription }
        #expect(Set(descriptions).count == Self.told.count)
        let suggestions = Self.told.compactMap { Self.error(for: $0).recoverySuggestion }
        #expect(suggestions.count == Self.told.count)
        #expect(Set(suggestions).count >= Self.told.count - 1)
    }

    @Test("Trying again is advised for what passes, and never where another party may stand between")
    func retries() {
        let passing = BackendTransportError.everyCase.filter { Self.error(for: $0).isRetryable }
        #expect(
            Set(passing) == [
                .unknownHost, .closedPort, .noConnection, .timedOut, .untrustedConnection(.handshake), .cancelled,
            ])
    }

    @Test("An operation hands on what the transport has found, for the request and for the list of facets")
    func operation() async throws {
        for path in ["/uaf/1.1/request/registration/", "/uaf/1.1/facets"] {
            let phone = try await TestPhone()
            phone.backend.script { $0.faults[path] = .failure(.untrustedConnection(.pinMismatch)) }
            let error = await #expect(throws: OperationError.self) { try await phone.register() }
            #expect(error?.errorDescription == SDKText.wrongKey.localized)
            #expect(error?.recoverySuggestion == SDKText.leaveNetworkOrUpdate.localized)
            #expect(error?.isRetryable == false)
        }
    }

    @Test("N-L2: a sign-in that the channel binding refuses is told as a connection that was not the server's")
    func channelBinding() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        _ = try await phone.authenticate()
        phone.backend.script { $0.faults["/uaf/1.1/authentication/"] = .uafStatus(.channelBindingRefused) }
        let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate() }
        #expect(error?.errorDescription == SDKText.foreignConnection.localized)
        #expect(error?.recoverySuggestion == SDKText.leaveNetworkAndTell.localized)
    }

    @Test("Wrong use says what is wrong, in every error, and is never worth another try")
    func wrongUse() {
        let causes: [any LocalizedError] = [
            MissingParameterError("username"), InvalidParameterError("pinPolicy"), OperationReuseError(),
            ConflictingOptionsError(), NestedOperationError(),
        ]
        for cause in causes {
            let errors: [any MobileAuthenticationClientError] = [
                OperationError.Unknown(cause: cause), AuthenticationError.Unknown(cause: cause),
                InitializationError.Unknown(cause: cause), PinChangeError.Unknown(cause: cause),
                DeviceServerError.Unknown(server: nil, cause: cause),
            ]
            for error in errors {
                #expect(error.errorDescription == cause.errorDescription)
                #expect(!error.isRetryable)
            }
        }
    }

    @Test("A FIDO error prints the name and the number of its code, and shows the person a sentence")
    func printed() {
        let error = OperationError.FidoError(errorCode: .userLockout, cause: nil)
        #expect("\(error)".contains("userLockout (16)"))
        #expect(error.errorDescription == SDKText.lockedOut.localized)
    }
}
