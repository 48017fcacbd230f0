import CPAM

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The one who answers the modules of a PAM service: a passcode to hidden questions, nothing to any other.
///
/// It lives on the thread of the transaction. What it hands out are copies in the memory of C, which PAM and its modules
/// overwrite and free.
final class PAMConversation {
    /// Modules that do not pass a passcode on ask once each; more than this is a loop.
    private static let questionLimit = 4

    private let passcode: Passcode
    /// How often the passcode was asked for.
    private(set) var questions = 0
    /// Whether something else was asked.
    private(set) var isOverwhelmed = false

    init(_ passcode: Passcode) {
        self.passcode = passcode
    }

    /// The form in which PAM takes it; it is not retained.
    func callback() -> pam_conv {
        pam_conv(
            conv: { count, messages, responses, conversation in
                guard let messages, let responses, let conversation else { return PAM_CONV_ERR }
                return Unmanaged<PAMConversation>.fromOpaque(conversation).takeUnretainedValue().answer(
                    UnsafeBufferPointer(start: messages, count: Int(count)), in: responses)
            }, appdata_ptr: Unmanaged.passUnretained(self).toOpaque())
    }

    private func answer(
        _ messages: UnsafeBufferPointer<UnsafePointer<pam_message>?>,
        in responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>
    ) -> Int32 {
        guard (1...Int(PAM_MAX_NUM_MSG)).contains(messages.count),
            let room = calloc(messages.count, MemoryLayout<pam_response>.stride)
        else { return PAM_CONV_ERR }
        let answers = UnsafeMutableBufferPointer(
            start: room.bindMemory(to: pam_response.self, capacity: messages.count), count: messages.count)
        for (index, message) in messages.enumerated() {
            guard fill(&answers[index], for: message?.pointee.msg_style) else {
                takeBack(answers)
                return PAM_CONV_ERR
            }
        }
        responses.pointee = answers.baseAddress
        return PAM_SUCCESS
    }

    /// Writes the answer to one message; false for a question that has none.
    private func fill(_ response: inout pam_response, for style: Int32?) -> Bool {
        switch style {
        case PAM_TEXT_INFO, PAM_ERROR_MSG: return true
        case PAM_PROMPT_ECHO_OFF where questions < Self.questionLimit:
            guard let copy = calloc(passcode.count + 1, 1) else { return false }
            passcode.withUnsafeBytes { copy.copyMemory(from: $0) }
            response.resp = copy.assumingMemoryBound(to: CChar.self)
            questions += 1
            return true
        default:
            isOverwhelmed = true
            return false
        }
    }

    private func takeBack(_ answers: UnsafeMutableBufferPointer<pam_response>) {
        for case let copy? in answers.map(\.resp) {
            explicit_bzero(copy, passcode.count)
            free(copy)
        }
        free(answers.baseAddress)
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(from bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        copyMemory(from: start, byteCount: bytes.count)
    }
}
