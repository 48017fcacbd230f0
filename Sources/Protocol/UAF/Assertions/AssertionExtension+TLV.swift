extension AssertionExtension {
    init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(of: element, single: [.extensionID, .extensionData])
        let name = try fields.required(.extensionID)
        guard let id = ExtensionID(try name.text()) else {
            throw .invalidValue(.extensionID, position: name.position)
        }
        self.init(
            id: id, data: Array(try fields.required(.extensionData).value),
            failIfUnknown: element.tag == .criticalExtension)
    }

    /// The extensions among `fields`, in order.
    static func all(in fields: TLVFields) throws(TLVError) -> [AssertionExtension] {
        var extensions: [AssertionExtension] = []
        for element in fields.all(.criticalExtension, .noncriticalExtension) {
            extensions.append(try AssertionExtension(element))
        }
        return extensions
    }

    func write(to writer: inout TLVWriter) throws(TLVError) {
        let tag: TLVTag = failIfUnknown ? .criticalExtension : .noncriticalExtension
        try writer.write(tag) { writer throws(TLVError) in
            try writer.write(.extensionID, id.text.utf8)
            try writer.write(.extensionData, data)
        }
    }
}

extension TLVWriter {
    mutating func write(_ extensions: [AssertionExtension]) throws(TLVError) {
        for one in extensions { try one.write(to: &self) }
    }
}
