import CommandSupport
import Foundation
import MobileAuthentication
import StrictJSON

struct PendingList {
    private let waiting: [PendingOutOfBandOperation]

    init(_ waiting: [PendingOutOfBandOperation]) {
        self.waiting = waiting
    }

    var text: TerminalText {
        guard !waiting.isEmpty else { return "Nothing waits for this phone." }
        let lines = waiting.enumerated().map { index, operation in
            let time = operation.creationTime.formatted(.iso8601)
            let line = "\(index + 1)  \(time)  \(operation.dispatchChannel.name)"
            let notes = operation.additionalInformation
            return notes.isEmpty ? line : line + "  " + ForeignText.name(notes)
        }
        return TerminalText(lines: lines)
    }

    /// One JSON object for each operation; the token is left out.
    var json: [JSONValue] {
        waiting.enumerated().map { index, operation in
            .object(
                JSONObject([
                    "number": .integer(index + 1), "createdAtMillis": .integer(operation.creationTimeInEpochMillis),
                    "dispatchChannel": .string(operation.dispatchChannel.name),
                    "contentType": .string(operation.payload.contentType.rawValue),
                    "additionalInformation": .string(operation.additionalInformation),
                ]))
        }
    }
}

extension DispatchChannel {
    /// Name of the channel; an unknown dispatcher is shown by its own name, escaped for a terminal.
    var name: String {
        switch self {
        case .firebase: "push"
        case .png: "qr-code"
        case .link: "link"
        case .email: "e-mail"
        case .inBand: "in-band"
        case .other(let name): ForeignText.name(name)
        @unknown default: "unknown"
        }
    }
}
