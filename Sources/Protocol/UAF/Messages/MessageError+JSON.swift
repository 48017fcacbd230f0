package import StrictJSON

extension MessageError {
    package init(_ error: JSONTypeError) {
        let fault: MemberFault =
            switch error.reason {
            case .missing: .missing
            case .wrongKind: .wrongType
            case .outOfRange: .outOfRange
            case .invalidForm: .invalidForm
            }
        self = .invalidMember(path: error.path, fault)
    }

    package init(_ error: StrictJSONError) {
        switch error {
        case .tooLarge, .byteOrderMark: self = .notJSON(offset: nil)
        case .tooDeep(let offset, _), .tooManyElements(let offset, _), .nameTooLong(let offset, _),
            .unexpectedEnd(let offset), .unexpectedByte(let offset), .invalidUTF8(let offset),
            .controlCharacter(let offset), .invalidEscape(let offset), .loneSurrogate(let offset),
            .invalidNumber(let offset), .duplicateMember(let offset), .trailingContent(let offset):
            self = .notJSON(offset: offset)
        }
    }
}
