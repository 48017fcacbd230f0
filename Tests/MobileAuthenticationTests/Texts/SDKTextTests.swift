import BackendAPI
import Foundation
import Testing

@testable import MobileAuthentication

@Suite("Texts for users")
struct SDKTextTests {
    @Test(
        "The first language of the user that there are texts in is taken",
        arguments: [
            (["de-CH", "en"], SDKLanguage.german), (["rm-CH", "it_CH"], .italian), (["fr_FR.UTF-8"], .french),
            (["ja"], .english), ([], .english), (["EN-us"], .english), (["defr"], .english),
        ])
    func preference(tags: [String], language: SDKLanguage) {
        #expect(SDKLanguage.preferred(among: tags) == language)
    }

    @Test("Every FIDO code has a text of its own in every language")
    func fidoCodes() {
        for language in SDKLanguage.allCases {
            let texts = FidoErrorCode.allCases.map { $0.text.text(in: language) }
            #expect(Set(texts).count == texts.count)
            #expect(texts.allSatisfy { $0.hasSuffix(".") })
        }
    }

    @Test("No text is the same in two languages")
    func translations() {
        let texts: [SDKText] =
            FidoErrorCode.allCases.map(\.text) + [
                .unreachableServer, .unexpectedAnswer, .noDeviceLock, .registerAgain, .setDeviceLock, .tryAgain,
                .wrongPin, .samePin,
                .guessablePin, .wrongPassword, .samePassword, .unusablePassword, .unrecognizedFinger, .confirmIdentity,
                .pinDigits(6), .pinDigitRange(4, 8), .malformedPayload, .undecryptable, .alreadyRedeemed, .tokenExpired,
                .nameInUse, .unknownDevice, .deviceNotAccepted, .scanAgain, .chooseAnotherName,
                .authenticatorOnlyAtServer, .authenticatorOnlyHere, .recordOnlyAtServer, .recordOnlyHere, .namesDiffer,
                .pushTokensDiffer, .linkingDigits(2), .noHardware, .hardwareWaysOut,
                .pushTokensDiffer, .linkingDigits(2), .addFromRegisteredDevice, .registerHere, .askProvider,
                .waitAndTryAgain, .updateOrAskProvider, .notRegisteredHere, .busyServer, .hinderedServer, .clocksApart,
                .shortPassword(8), .guessablePassword,
            ]
        for text in texts { #expect(Set(SDKLanguage.allCases.map(text.text(in:))).count == 4) }
    }

    @Test(
        "O-M7: every status of a server says what happened and what helps, in every language",
        arguments: [
            1400, 1401, 1403, 1404, 1408, 1480, 1481, 1490, 1491, 1492, 1494, 1495, 1496, 1497, 1498, 1500, 1999,
        ])
    func statuses(code: Int) {
        let texts = ServerStatus(code).texts
        for text in [texts.description, texts.recovery] {
            #expect(Set(SDKLanguage.allCases.map(text.text(in:))).count == 4)
        }
        let error = OperationError.FidoError(errorCode: .protocolError, cause: ServerStatus(code))
        #expect(error.errorDescription == texts.description.localized)
        #expect(error.errorDescription != SDKText.protocolError.localized)
        #expect(ServerStatus(code).errorDescription?.contains(String(code)) == true)
        #expect(error.recoverySuggestion?.isEmpty == false)
    }

    @Test("O-M7: a clock that is behind is called behind, in a unit that can be pictured, in every language")
    func clocks() {
        let behind = ClockSkewError(secondsAhead: -7199)
        #expect(behind.text.english == "The clock of the device is 2 hours behind the server's.")
        #expect(
            ClockSkewError(secondsAhead: 7200).text.english
                == "The clock of the device is 2 hours ahead of the server's.")
        #expect(ClockSkewError(secondsAhead: 80).text.english.contains("80 seconds"))
        #expect(ClockSkewError(secondsAhead: -200).text.german.contains("3 Minuten nach"))
        #expect(ClockSkewError(secondsAhead: .min).text.italian.contains("giorni"))
        for error in [behind, ClockSkewError(secondsAhead: nil), ClockSkewError(secondsAhead: 500)] {
            let texts = SDKLanguage.allCases.map(error.text.text(in:))
            #expect(Set(texts).count == 4 && texts.allSatisfy { !$0.contains("-") })
        }
    }

    @Test(
        "O-M7: a server with too much to do is called that, one that misses something is not, and waiting is what helps",
        arguments: [
            (429, nil, true), (429, .tooManyRequests, true), (503, .overloaded, true), (503, .unavailable, false),
            (503, nil, false),
        ] as [(Int, ErrorCode?, Bool)])
    func overload(status: Int, code: ErrorCode?, isBusy: Bool) {
        let body = code.map { ErrorBody(timestamp: 0, status: status, code: $0).body } ?? Array("<html>".utf8)
        let error = OperationError.NetworkError(cause: HTTPStatusError(statusCode: status, body: body))
        #expect(error.errorDescription == (isBusy ? SDKText.busyServer : .hinderedServer).localized)
        #expect(error.recoverySuggestion == SDKText.waitAndTryAgain.localized)
        #expect(
            OperationError.NetworkError(cause: HTTPStatusError(statusCode: 500, body: [])).recoverySuggestion
                == SDKText.tryAgain.localized)
    }

    @Test("Numbers stand in the text")
    func numbers() {
        for language in SDKLanguage.allCases {
            let text = SDKText.pinDigitRange(4, 64).text(in: language)
            #expect(text.contains("4") && text.contains("64"))
        }
    }

    @Test("Errors speak the language of the user and say what helps")
    func errors() {
        #expect(PinChangeError.PinLocked(cause: nil).errorDescription == SDKText.pinLocked.localized)
        #expect(PinChangeError.PinLocked(cause: nil).recoverySuggestion == SDKText.registerAgain.localized)
        #expect(OperationError.NoDeviceLockError(cause: nil).recoverySuggestion == SDKText.setDeviceLock.localized)
        #expect(OperationError.ClockSkewTooBig(cause: nil).recoverySuggestion == SDKText.setClock.localized)
        #expect(PasswordChangeError.UserCanceled(cause: nil).isUserCancellation)
        #expect((PinChangeError.PinNotEnrolled(cause: nil) as NSError).code == 41)
        #expect((PasswordChangeError.PasswordLocked(cause: nil) as NSError).domain.hasSuffix("PasswordChangeError"))
        let gone = PinChangeError.Unknown(cause: FidoFailure(code: .keyDisappearedPermanently))
        #expect(gone.fidoErrorCode == .keyDisappearedPermanently)
        #expect(gone.recoverySuggestion == SDKText.registerAgain.localized)
    }
}
