/// Six digits, no common PINs, nothing else.
struct DefaultPinPolicy: PinPolicy {}
