import Foundation
import MobileAuthentication
import Testing

@Suite("Errors")
struct ErrorTests {
    private static let operationErrors: [OperationError] = [
        .FidoError(errorCode: .userCanceled, cause: nil), .NetworkError(cause: nil), .NoDeviceLockError(cause: nil),
        .DeviceProtectionError(cause: nil), .AppAttestationError(cause: nil), .ClockSkewTooBig(cause: nil),
        .OperationNotSupportedByBackend(cause: nil), .UserAlreadyRegisteredInAnotherServer(cause: nil),
        .UserNotRegisteredInServer(cause: nil), .SigningFailedWithStrongBox(cause: nil), .Unknown(cause: nil),
    ]

    @Test("Each case has a domain, a code of its own and a text")
    func stableCodes() {
        let codes = Self.operationErrors.map { ($0 as NSError).code }
        #expect(Set(codes).count == codes.count)
        #expect(codes.first == 1)
        for error in Self.operationErrors {
            #expect((error as NSError).domain == "MobileAuthentication.OperationError")
            #expect(!(error.errorDescription ?? "").isEmpty)
        }
    }

    @Test("The numbers of the FIDO codes are the specification's")
    func fidoNumbers() {
        #expect(FidoErrorCode.noSuitableAuthenticator.rawValue == 0x05)
        #expect(FidoErrorCode.keyDisappearedPermanently.rawValue == 0x09)
        #expect(FidoErrorCode.userNotEnrolled.rawValue == 0x11)
        #expect(FidoErrorCode.allCases.allSatisfy { !$0.description.isEmpty })
    }

    @Test("Cancellation is recognised in every error type")
    func cancellation() {
        #expect(OperationError.FidoError(errorCode: .userCanceled, cause: nil).isUserCancellation)
        let failed = AuthenticationError.FidoError(errorCode: .userCanceled, cause: nil, sessionProvider: nil)
        #expect(failed.isUserCancellation)
        #expect(!OperationError.NetworkError(cause: nil).isUserCancellation)
    }

    @Test("A retry makes sense after a passing condition only")
    func retryable() {
        #expect(OperationError.NetworkError(cause: HTTPStatusError(statusCode: 503, body: [])).isRetryable)
        #expect(!OperationError.NetworkError(cause: HTTPStatusError(statusCode: 401, body: [])).isRetryable)
        #expect(!OperationError.NetworkError(cause: InsecureAddressError()).isRetryable)
        #expect(!OperationError.NetworkError(cause: ProductionHostError()).isRetryable)
        #expect(!OperationError.FidoError(errorCode: .userLockout, cause: nil).isRetryable)
        #expect(OperationError.FidoError(errorCode: .userNotResponsive, cause: nil).isRetryable)
    }

    @Test("Only a server that did not answer is called unreachable")
    func unreachable() {
        let unreachable = OperationError.NetworkError(cause: URLError(.cannotConnectToHost)).errorDescription
        #expect(OperationError.NetworkError(cause: nil).errorDescription == unreachable)
        let answers: [any Error] = [
            HTTPStatusError(statusCode: 401, body: []), HTTPStatusError(statusCode: 503, body: []),
            URLError(.cannotParseResponse), URLError(.badServerResponse),
        ]
        for answer in answers {
            let errors: [any MobileAuthenticationClientError] = [
                OperationError.NetworkError(cause: answer),
                AuthenticationError.NetworkError(cause: answer, sessionProvider: nil),
                AuthCloudApiError.NetworkError(cause: answer), OutOfBandOperationError.NetworkError(cause: answer),
                DeviceInformationChangeError.NetworkError(cause: answer),
                DeviceServerError.NetworkError(server: Self.server, cause: answer),
            ]
            for error in errors {
                #expect(error.errorDescription?.isEmpty == false)
                #expect(error.errorDescription != unreachable)
            }
        }
    }

    @Test("A key that the server has forgotten is to be registered again; one that it never took is not")
    func forgottenKey() {
        let cause = ServerStatus(1481)
        let signIn = AuthenticationError.FidoError(errorCode: .protocolError, cause: cause, sessionProvider: nil)
        let gone = AuthenticationError.FidoError(
            errorCode: .keyDisappearedPermanently, cause: nil, sessionProvider: nil)
        #expect(signIn.recoverySuggestion != nil)
        #expect(signIn.recoverySuggestion == gone.recoverySuggestion)
        let registration = OperationError.FidoError(errorCode: .protocolError, cause: cause)
        #expect(registration.recoverySuggestion != gone.recoverySuggestion)
        let other = AuthenticationError.FidoError(
            errorCode: .protocolError, cause: ServerStatus(1498), sessionProvider: nil)
        #expect(other.recoverySuggestion != gone.recoverySuggestion)
    }

    @Test("An error of an authentication carries the session that the server had opened")
    func session() {
        let session = JwtSessionProvider("a.b.c")
        let error = AuthenticationError.NetworkError(cause: nil, sessionProvider: session)
        #expect(error.sessionProvider as? JwtSessionProvider == session)
        #expect(!String(describing: error).contains("a.b.c"))
    }

    private static let server: any Server = StrangeServer()
    private static let deviceErrors: [any MobileAuthenticationClientError] = [
        OutOfBandPayloadError.MalformedPayload(cause: nil), OutOfBandOperationError.TokenAlreadyRedeemed(cause: nil),
        OutOfBandOperationError.TokenExpired(cause: nil), OutOfBandOperationError.DecryptionError(cause: nil),
        AuthCloudApiError.FidoError(errorCode: .userCanceled, cause: nil),
        DeviceInformationChangeError.NameAlreadyExists(cause: nil), DeviceInformationChangeError.NotFound(cause: nil),
        DeviceInformationCheckError.Forbidden(server: server, cause: nil),
        DeviceInformationSyncError.ClockSkewTooBig(server: server, cause: ClockSkewError(secondsAhead: 200)),
        PendingOutOfBandOperationsError.OperationNotSupportedByBackend(server: server, cause: nil),
        PendingOutOfBandOperationsError.Unknown(server: nil, cause: CancellationError()),
    ]

    @Test("Errors of operations out of band and of the device have texts, domains, servers and what helps")
    func deviceErrors() {
        for error in Self.deviceErrors {
            #expect((error as NSError).domain.hasPrefix("MobileAuthentication."))
            #expect(error.errorDescription?.isEmpty == false)
        }
        #expect(Self.deviceErrors.map(\.errorCode) == [20, 22, 23, 21, 1, 24, 25, 26, 6, 7, 99])
        #expect(Self.deviceErrors.compactMap(\.server).count == 3)
        #expect(Self.deviceErrors.filter(\.isUserCancellation).count == 2)
        #expect(Self.deviceErrors.compactMap(\.recoverySuggestion).count == 5)
        #expect(DeviceInformationChangeError.NetworkError(cause: nil).isRetryable)
        #expect(OutOfBandOperationError.NetworkError(cause: HTTPStatusError(statusCode: 503, body: [])).isRetryable)
        #expect(!OutOfBandOperationError.TokenExpired(cause: nil).isRetryable)
    }

    @Test("The body in an HTTP error is cut")
    func excerpt() {
        let error = HTTPStatusError(statusCode: 500, body: [UInt8](repeating: 0x61, count: 10_000))
        #expect(error.bodyExcerpt.utf8.count == 512)
    }
}

/// A server as an application could pretend it.
private struct StrangeServer: Server {
    var baseUrl: URL { URL(filePath: "/") }
}
