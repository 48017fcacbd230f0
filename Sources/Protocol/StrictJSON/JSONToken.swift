/// One element of a JSON text: what it is and where its characters stand.
///
/// A member of an object is two tokens, its name and its value.
struct JSONToken {
    /// Type of a token.
    enum Kind: UInt8 {
        case null
        case no
        case yes
        case number
        /// Characters of which each stands for itself, all below 0x80.
        case asciiString
        /// Characters of which each stands for itself.
        case plainString
        /// Characters with escapes among them.
        case escapedString
        case array
        case object
    }

    let kind: Kind
    /// Offset of the first character; a string's stands behind its quote.
    private let first: UInt32
    /// Offset behind the last character; of a container the number of its elements or members.
    private var last: UInt32
    /// Index of the first token behind this one and what is inside it.
    ///
    /// While a container is open, the index of the one that it is inside plus one, or 0.
    private var following: UInt32

    /// Describes a scalar; offsets are below 2^32.
    init(_ kind: Kind, _ characters: Range<Int>) {
        self.kind = kind
        first = UInt32(characters.lowerBound)
        last = UInt32(characters.upperBound)
        following = 0
    }

    init(opening kind: Kind, inside parent: Int?) {
        self.kind = kind
        (first, last) = (0, 0)
        following = parent.map { UInt32($0 + 1) } ?? 0
    }

    var characters: Range<Int> { Int(first)..<Int(last) }

    var count: Int {
        get { Int(last) }
        set { last = UInt32(newValue) }
    }

    /// The index of the first token behind this one and what is inside it.
    var next: Int {
        get { Int(following) }
        set { following = UInt32(newValue) }
    }

    var parent: Int? { following == 0 ? nil : Int(following) - 1 }
}
