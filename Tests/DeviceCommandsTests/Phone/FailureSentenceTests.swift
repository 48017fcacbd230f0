import Authenticators
import BackendTransport
import CommandSupport
import Foundation
import MobileAuthentication
import TestSupport
import Testing

@testable import DeviceCommands
@testable import PhonePage

@Suite("What a person at the terminal reads about a failure is true")
struct FailureSentenceTests {
    private let unreachable = OperationError.NetworkError(cause: nil).errorDescription ?? ""

    @Test("An answer with an HTTP error status is told as an answer", arguments: [401, 404, 503])
    func answer(status: Int) {
        let error = OperationError.NetworkError(cause: HTTPStatusError(statusCode: status, body: []))
        let message = CommandFailure(reporting: error).message
        #expect(!message.contains(unreachable))
        #expect(message.contains(String(status)))
    }

    @Test("O-M9: a token that was used or is too old is a refusal, exit code 1; a broken payload is not")
    func tokens() {
        let refusals: [OutOfBandOperationError] = [.TokenAlreadyRedeemed(cause: nil), .TokenExpired(cause: nil)]
        for error in refusals { #expect(CommandFailure(reporting: error).kind.rawValue == 1) }
        #expect(CommandFailure(reporting: OutOfBandOperationError.MalformedPayload(cause: nil)).kind.rawValue == 2)
        #expect(CommandFailure(reporting: OutOfBandOperationError.NetworkError(cause: nil)).kind.rawValue == 2)
    }

    @Test("O-H5: after a lockout or a lost key the commands name the order that works", arguments: [0x10, 0x09])
    func lockout(code: UInt8) throws {
        let code = try #require(FidoErrorCode(rawValue: code))
        let failure = CommandFailure(
            reporting: AuthenticationError.FidoError(errorCode: code, cause: nil, sessionProvider: nil))
        let order = try #require(failure.message.range(of: "deregister --user NAME --jws"))
        #expect(failure.message[order.upperBound...].contains("then register again"))
        #expect(!failure.message.contains("delete"))
        #expect(!failure.consoleMessage.contains("signet device"))
        #expect(failure.consoleMessage.contains("deregister"))
        #expect(CommandFailure(reporting: PinChangeError.PinLocked(cause: nil)).advice == .registerAgain)
    }

    @Test("O-M7: 1401 of a registration names who can allow it; an unknown user is not a matter of methods")
    func refusals() {
        let refused = CommandFailure(
            reporting: OperationError.FidoError(errorCode: .protocolError, cause: ServerStatus(1401)))
        #expect(refused.message.contains("--token-file") && refused.message.contains("dispatch register"))
        #expect(refused.message.contains("UAF 1401") && !refused.message.contains("malformed"))
        let stranger = CommandFailure(
            reporting: AuthenticationError.FidoError(
                errorCode: .noSuitableAuthenticator, cause: UnregisteredUserError(), sessionProvider: nil))
        #expect(stranger.message.hasPrefix("The user is not registered on this device."))
        #expect(stranger.message.contains("signet device list"))
        let unknown = CommandFailure(reporting: OutOfBandOperationError.Unknown(cause: ServerStatus(1404)))
        #expect(unknown.message.contains("A code may have expired, been used before or been withdrawn"))
    }

    @Test("O-M10: a server that let the time pass is called slow or stuck, one that is not there is not")
    func slowness() {
        let slow = CommandFailure(reporting: OperationError.NetworkError(cause: URLError(.timedOut)))
        #expect(slow.message.contains("the time was up") && slow.message.contains("slow or stuck"))
        #expect(slow.consoleMessage.contains("slow or stuck") && slow.isRetryable)
        let absent = CommandFailure(reporting: OperationError.NetworkError(cause: URLError(.cannotConnectToHost)))
        #expect(!absent.message.contains("slow"))
    }

    @Test("N-L1: every failure of a connection has a reason and a way out of its own, here and in the error of the SDK")
    func connections() {
        var messages: Set<String> = []
        for failure in BackendTransportError.everyCase {
            let cause = URLError(.unknown, userInfo: [NSUnderlyingErrorKey: failure])
            let told = CommandFailure(reporting: OperationError.NetworkError(cause: cause))
            #expect(told.message.contains(failure.words))
            // It becomes a part of a sentence.
            #expect(!".?!".contains(failure.words.last ?? "."))
            #expect(told.isRetryable == failure.isPassing)
            #expect(CommandFailure(reporting: failure).isRetryable == failure.isPassing)
            messages.insert(told.message)
        }
        #expect(messages.count == BackendTransportError.everyCase.count)
    }

    @Test("N-L2: a refusal by channel binding says that the connection was not the server's, and not to update")
    func channelBinding() {
        let error = AuthenticationError.FidoError(
            errorCode: .protocolError, cause: ServerStatus(1490), sessionProvider: nil)
        let message = CommandFailure(reporting: error).message
        #expect(message.contains("was not the server's own") && message.contains("another network"))
        #expect(!message.contains("Update"))
    }

    @Test("N-L4: an older copy, a lost ledger and a lost counter are told apart, each with its way out")
    func storedKeys() {
        let found: [(CredentialStoreError, StoredKeysError, code: String, words: String)] = [
            (.rolledBack, .olderCopy, "KeysRolledBack", "put the newest ones back"),
            (.lostLedger, .lostLedger, "KeyLedgerLost", "put it back"),
            (.lostCounter, .lostCounter, "KeyCounterLost", "nothing brings it back"),
        ]
        for (fault, cause, code, words) in found {
            let errors: [any Error] = [
                VirtualDeviceError.unusableKeys(fault),
                VirtualDeviceError.unusableKeys(AuthenticatorError.store(fault)),
                InitializationError.Unknown(cause: cause), OperationError.Unknown(cause: cause),
            ]
            for failure in errors.map(CommandFailure.init(reporting:)) {
                #expect(failure.code == code && failure.kind == .local && failure.message.contains(words))
                #expect(failure.message.contains("signet device destroy"))
            }
            let notice = PhonePageNotice(OperationError.Unknown(cause: cause), denial: nil).sentence ?? ""
            #expect(notice.contains(cause.errorDescription ?? "-") && notice.contains("egister again"))
        }
        #expect(CommandFailure(reporting: VirtualDeviceError.unusableKeys(CancellationError())).code == "KeysUnusable")
    }

    @Test("No answer is told as unreachability")
    func silence() {
        let error = OperationError.NetworkError(cause: URLError(.cannotConnectToHost))
        #expect(!unreachable.isEmpty)
        #expect(CommandFailure(reporting: error).message.contains(unreachable))
    }
}
