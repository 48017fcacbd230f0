/// An array or object whose end has not been read yet.
struct OpenContainer {
    let isObject: Bool
    /// The index of its token.
    let token: Int
    /// Elements or members so far.
    var count = 0
    /// Names so far as bytes, kept once an object has more members than a look through them is worth.
    var knownNames: Set<[UInt8]> = []

    init(isObject: Bool, token: Int) {
        self.isObject = isObject
        self.token = token
    }
}
