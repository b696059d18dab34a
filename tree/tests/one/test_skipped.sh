echo "skip: on purpose"; exit 77
